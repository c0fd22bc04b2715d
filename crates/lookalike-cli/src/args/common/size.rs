//! How is a size in bytes written?

/// Parses `50MB`, `1GiB` or `4096`.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit: usize = match &text[digits..] {
        "" | "B" => 1,
        "KB" | "kB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        _ => return Err(format!("'{text}' is not a size like 50MB, 1GiB or 4096")),
    };
    let number: usize =
        text[..digits].parse().map_err(|_| format!("'{text}' is not a size like 50MB, 1GiB or 4096"))?;
    number.checked_mul(unit).filter(|&size| size > 0).ok_or_else(|| format!("'{text}' is out of range"))
}
