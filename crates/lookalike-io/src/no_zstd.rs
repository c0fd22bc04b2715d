//! Stands in for the `zstd` crate in builds without it: every attempt to compress or decompress fails.

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::marker::PhantomData;

use crate::error::missing_feature;

pub(crate) struct Decoder<R>(Infallible, PhantomData<R>);

pub(crate) struct Encoder<'a, W>(Infallible, PhantomData<&'a W>);

impl<R> Decoder<R> {
    pub(crate) fn with_buffer(_stream: R) -> io::Result<Decoder<R>> {
        Err(missing_feature("Zstandard", "zstd"))
    }
}

impl<R> Read for Decoder<R> {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

impl<W> Encoder<'_, W> {
    pub(crate) fn new(_out: W, _level: i32) -> io::Result<Self> {
        Err(missing_feature("Zstandard", "zstd"))
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self.0 {}
    }
}

impl<W> Write for Encoder<'_, W> {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}
