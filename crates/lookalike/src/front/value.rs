/// What can be a threshold: `0.8`, `"0.8"` and `"4/5"` are the same exact number. For overlap and hamming it is a whole number.
pub trait ThresholdValue {
    /// The number as people write it.
    fn written(&self) -> String;
}

macro_rules! as_written {
    ($($type:ty),*) => {
        $(impl ThresholdValue for $type {
            fn written(&self) -> String {
                self.to_string()
            }
        })*
    };
}

// The shortest decimal that reads back as the same number: of 0.8 that is "0.8".
as_written!(f64, f32, u32, i32, usize, &str, String, &String);
