//! Drawing lines into a PNG picture. A line with round ends is all that boards and marks need, so there is no graphics library.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

/// A point of a picture, in pixels.
pub(super) type Point = (f32, f32);

/// A picture in memory.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, background: Rgb) -> Canvas {
        Canvas { width, height, pixels: vec![background; width * height] }
    }

    /// Draws a line with round ends and smooth edges.
    pub(super) fn line(&mut self, from: Point, to: Point, thickness: f32, colour: Rgb) {
        self.polyline(&[from, to], thickness, colour);
    }

    /// Draws connected lines as one stroke: where they overlap, they do not become darker.
    pub(super) fn polyline(&mut self, points: &[Point], thickness: f32, colour: Rgb) {
        let radius = thickness / 2.0;
        let (xs, ys) = (points.iter().map(|point| point.0), points.iter().map(|point| point.1));
        let (columns, rows) = (span(xs, radius, self.width), span(ys, radius, self.height));
        for y in rows {
            for x in columns.clone() {
                let centre = (x as f32 + 0.5, y as f32 + 0.5);
                let segments = points.windows(2).map(|ends| distance(centre, ends[0], ends[1]));
                let nearest = segments.fold(f32::MAX, f32::min);
                let cover = (radius + 0.5 - nearest).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let pixel = &mut self.pixels[y * self.width + x];
                    *pixel = std::array::from_fn(|channel| blend(pixel[channel], colour[channel], cover));
                }
            }
        }
    }

    /// Returns the colour at a place.
    #[cfg(test)]
    pub(super) fn colour(&self, x: usize, y: usize) -> Rgb {
        self.pixels[y * self.width + x]
    }

    /// Returns the picture as a PNG file.
    pub(super) fn png(&self) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        for size in [self.width, self.height] {
            header.extend((size as u32).to_be_bytes());
        }
        // 8 bits per channel, RGB, and the only methods of compression, filtering and interlacing.
        header.extend([8, 2, 0, 0, 0]);
        add_chunk(&mut file, *b"IHDR", &header);
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
        for row in self.pixels.chunks(self.width) {
            // The filter of a row: none.
            let bytes: Vec<u8> = std::iter::once(0).chain(row.iter().flatten().copied()).collect();
            encoder.write_all(&bytes).expect("writing to memory does not fail");
        }
        add_chunk(&mut file, *b"IDAT", &encoder.finish().expect("writing to memory does not fail"));
        add_chunk(&mut file, *b"IEND", &[]);
        file
    }
}

/// Returns the pixels that a stroke through these coordinates can touch.
#[allow(clippy::cast_sign_loss, reason = "the coordinates are clamped")]
fn span(coordinates: impl Iterator<Item = f32>, radius: f32, size: usize) -> std::ops::Range<usize> {
    let (low, high) = coordinates.fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)));
    let clamp = |at: f32| at.clamp(0.0, size as f32) as usize;
    clamp((low - radius - 1.0).floor())..clamp((high + radius + 1.0).ceil())
}

/// Returns the distance of a point from a line between two others.
fn distance(point: Point, from: Point, to: Point) -> f32 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let length = dx.mul_add(dx, dy * dy).max(f32::MIN_POSITIVE);
    let along = (px.mul_add(dx, py * dy) / length).clamp(0.0, 1.0);
    (px - along * dx).hypot(py - along * dy)
}

#[allow(clippy::cast_sign_loss, reason = "a mean of two bytes is a byte")]
fn blend(under: u8, over: u8, cover: f32) -> u8 {
    f32::from(under).mul_add(1.0 - cover, f32::from(over) * cover).round() as u8
}

fn add_chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let mut crc = Crc::new();
    crc.update(&kind);
    crc.update(data);
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(kind);
    file.extend(data);
    file.extend(crc.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_covers_its_pixels_and_no_others() {
        let mut canvas = Canvas::new(20, 10, [255; 3]);
        canvas.line((5.0, 5.0), (15.0, 5.0), 4.0, [0; 3]);
        let at = |x: usize, y: usize| canvas.pixels[y * 20 + x][0];
        assert_eq!((at(10, 4), at(10, 5), at(4, 5)), (0, 0, 0));
        assert_eq!((at(10, 1), at(10, 8), at(1, 5), at(19, 5)), (255, 255, 255, 255));
    }

    #[test]
    fn strokes_outside_of_the_picture_are_cut() {
        let mut canvas = Canvas::new(4, 4, [255; 3]);
        canvas.polyline(&[(-100.0, 2.0), (100.0, 2.0), (1e9, -1e9)], 1.0, [0; 3]);
        assert_eq!(canvas.pixels.len(), 16);
    }

    #[test]
    fn a_png_file_has_its_size_and_checksums() {
        let file = Canvas::new(3, 2, [1, 2, 3]).png();
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!((&file[12..16], &file[16..24]), (&b"IHDR"[..], &[0, 0, 0, 3, 0, 0, 0, 2][..]));
        assert_eq!(&file[file.len() - 12..], b"\0\0\0\0IEND\xae\x42\x60\x82");
    }
}
