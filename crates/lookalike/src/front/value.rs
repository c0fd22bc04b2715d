//! Which values can be a threshold?

/// A value that can be a threshold. `0.8`, `"0.8"` and `"4/5"` are the same exact number. Overlap and hamming take
/// whole numbers.
pub trait ThresholdValue {
    /// Returns the number as text.
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

// The shortest decimal that reads back as the same number: for 0.8 that is "0.8".
as_written!(f64, f32, u32, i32, usize, &str, String, &String);
