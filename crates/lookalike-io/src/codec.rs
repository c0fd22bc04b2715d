//! How files are compressed and decompressed. Reading recognises the codec by content, writing by the file name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[cfg(not(feature = "zstd"))]
use crate::no_zstd as zstd;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Zstandard skippable frames, 0x184D2A50 to 0x184D2A5F. Files of pzstd and seekable archives begin with one.
const ZSTD_SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// Large enough to make system calls rare, small enough for the cache.
const BUFFER: usize = 256 << 10;

/// Counts the bytes read from a stream, for progress reports.
struct Counted<R> {
    stream: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.taken.fetch_add(read as u64, Relaxed);
        Ok(read)
    }
}

/// The decompressed bytes of a file. A gzip file may have several members, a Zstandard file several frames.
pub(crate) fn decode(mut file: File, taken: Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
    let mut magic = [0; 4];
    let read = read_up_to(&mut file, &mut magic)?;
    file.seek(SeekFrom::Start(0))?;
    decode_from(magic, read, Counted { stream: file, taken })
}

/// The bytes of a file that is not compressed, from the first line behind this byte on.
pub(crate) fn lines_behind(mut file: File, at: u64, taken: Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
    file.seek(SeekFrom::Start(at))?;
    let mut stream = BufReader::new(Counted { stream: file, taken });
    stream.skip_until(b'\n')?;
    Ok(Box::new(stream))
}

fn is_gzip(start: &[u8]) -> bool {
    start.starts_with(&GZIP)
}

fn is_zstd(start: &[u8]) -> bool {
    start == ZSTD || start.len() == 4 && start[1..] == ZSTD_SKIPPABLE && start[0] & 0xf0 == 0x50
}

/// Whether a file is compressed.
pub(crate) fn is_compressed(file: &mut File) -> bool {
    let mut magic = [0; 4];
    read_up_to(file, &mut magic).is_ok_and(|read| is_gzip(&magic[..read]) || is_zstd(&magic[..read]))
}

/// Picks the decoder by the first `read` bytes of the stream.
fn decode_from(
    magic: [u8; 4],
    read: usize,
    counted: Counted<impl Read + Send + 'static>,
) -> io::Result<Box<dyn Read + Send>> {
    Ok(if is_gzip(&magic[..read]) {
        Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(BUFFER, counted)))
    } else if is_zstd(&magic[..read]) {
        Box::new(zstd::Decoder::with_buffer(BufReader::with_capacity(BUFFER, counted))?)
    } else {
        Box::new(counted)
    })
}

/// Like [`decode`], for a stream that cannot be read from the start again.
pub(crate) fn decode_live(
    mut stream: impl Read + Send + 'static,
    taken: Arc<AtomicU64>,
) -> io::Result<Box<dyn Read + Send>> {
    let mut magic = [0; 4];
    let read = read_up_to(&mut stream, &mut magic)?;
    let start = io::Cursor::new(magic).take(read as u64);
    decode_from(magic, read, Counted { stream: start.chain(stream), taken })
}

fn read_up_to(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// The compression of a file, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codec {
    Plain,
    Gzip,
    Zstd,
}

impl Codec {
    /// The codec of the last extension, and the name without that extension.
    pub(crate) fn of_name(path: &Path) -> (Codec, &Path) {
        let codec = match extension(path).as_deref() {
            Some("gz") => Codec::Gzip,
            Some("zst" | "zstd") => Codec::Zstd,
            _ => return (Codec::Plain, path),
        };
        (codec, path.file_stem().map_or(path, Path::new))
    }

    pub(crate) fn encode<W: Write + Send + 'static>(self, out: W) -> io::Result<Encoder> {
        let out: Out = Box::new(out);
        Ok(match self {
            Codec::Plain => Encoder::Plain(BufWriter::with_capacity(BUFFER, out)),
            Codec::Gzip => Encoder::Gzip(gzip(out)),
            Codec::Zstd => Encoder::Zstd(zstd::Encoder::new(out, 0)?),
        })
    }
}

type Out = Box<dyn Write + Send>;

fn gzip(out: Out) -> flate2::write::GzEncoder<Out> {
    flate2::write::GzEncoder::new(out, flate2::Compression::default())
}

/// A file name's last extension, in lower case.
pub(crate) fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// A compressing writer. Call [`Encoder::finish`], or the end of the file is missing.
pub(crate) enum Encoder {
    Plain(BufWriter<Out>),
    Gzip(flate2::write::GzEncoder<Out>),
    Zstd(zstd::Encoder<'static, Out>),
}

impl Encoder {
    /// Ends the gzip member or Zstandard frame. The next write begins another.
    pub(crate) fn end_member(&mut self) -> io::Result<()> {
        let nowhere = || Encoder::Plain(BufWriter::with_capacity(0, Box::new(io::sink())));
        *self = match std::mem::replace(self, nowhere()) {
            plain @ Encoder::Plain(_) => plain,
            Encoder::Gzip(out) => Encoder::Gzip(gzip(out.finish()?)),
            Encoder::Zstd(out) => Encoder::Zstd(zstd::Encoder::new(out.finish()?, 0)?),
        };
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Encoder::Plain(mut out) => out.flush(),
            Encoder::Gzip(out) => out.finish()?.flush(),
            Encoder::Zstd(out) => out.finish()?.flush(),
        }
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Encoder::Plain(out) => out,
            Encoder::Gzip(out) => out,
            Encoder::Zstd(out) => out,
        }
    }
}

impl Write for Encoder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}
