//! A picture for the session: the berth board as a small PNG, made without a library.

const WIDTH: u32 = 160;
const HEIGHT: u32 = 96;

/// Bars of the board: left, right, row and colour. Two of row 1 overlap, which is what the developer asks about.
const BARS: [(u32, u32, u32, [u8; 3]); 7] = [
    (6, 70, 0, [46, 112, 168]),
    (78, 150, 0, [70, 140, 90]),
    (10, 88, 1, [200, 120, 40]),
    (66, 140, 1, [170, 60, 70]),
    (20, 60, 2, [120, 90, 160]),
    (84, 152, 2, [46, 112, 168]),
    (4, 120, 3, [70, 140, 90]),
];

/// The picture as base64.
pub(crate) fn berth_board() -> String {
    base64(&png(WIDTH, HEIGHT, &pixels()))
}

/// Rows of RGB bytes, each behind its filter byte.
fn pixels() -> Vec<u8> {
    let mut bytes = Vec::new();
    for y in 0..HEIGHT {
        bytes.push(0);
        for x in 0..WIDTH {
            let mut bars = BARS.iter().filter(|(left, right, row, _)| {
                (*left..*right).contains(&x) && (row * 24 + 4..row * 24 + 20).contains(&y)
            });
            let ground = if x % 20 == 0 { [208, 212, 218] } else { [244, 246, 248] };
            let (below, above) = (bars.next(), bars.next());
            // Where two bars lie on each other, stripes show both.
            let bar = if (x + y) % 8 < 4 { above.or(below) } else { below };
            bytes.extend(bar.map_or(ground, |(_, _, _, colour)| *colour));
        }
    }
    bytes
}

/// A truecolour PNG of 8 bits a channel.
fn png(width: u32, height: u32, rows: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut bytes, *b"IHDR", &header);
    chunk(&mut bytes, *b"IDAT", &zlib_by_rows(rows, width as usize * 3 + 1));
    chunk(&mut bytes, *b"IEND", &[]);
    bytes
}

fn chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let checked: Vec<u8> = kind.iter().chain(data).copied().collect();
    out.extend(&checked);
    out.extend(crc32(&checked).to_be_bytes());
}

/// A zlib stream with fixed codes in which a byte that repeats the one a pixel earlier, or a row
/// earlier, is a back reference: enough to keep flat bars small.
fn zlib_by_rows(data: &[u8], row: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push(0b011, 3);
    let mut at = 0;
    while at < data.len() {
        let above = if at >= row { run(data, at, row) } else { 0 };
        let left = if at >= 3 { run(data, at, 3) } else { 0 };
        if above >= 3 && above >= left {
            bits.copy(above, row);
            at += above;
        } else if left >= 3 {
            bits.copy(left, 3);
            at += left;
        } else {
            bits.literal(u32::from(data.get(at).copied().unwrap_or(0)));
            at += 1;
        }
    }
    bits.literal(256);
    let mut out = vec![0x78, 0x01];
    out.extend(bits.finish());
    out.extend(adler32(data).to_be_bytes());
    out
}

/// How many bytes from `at` equal those `back` earlier; 10 at most, the lengths without extra bits.
fn run(data: &[u8], at: usize, back: usize) -> usize {
    (0..10).take_while(|n| data.get(at + n).is_some() && data.get(at + n) == data.get(at + n - back)).count()
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, value: u32, width: u32) {
        self.pending |= value << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Huffman codes go out with their highest bit first.
    fn code(&mut self, value: u32, width: u32) {
        self.push(value.reverse_bits() >> (32 - width), width);
    }

    fn literal(&mut self, symbol: u32) {
        match symbol {
            0..=143 => self.code(0x30 + symbol, 8),
            144..=255 => self.code(0x190 + symbol - 144, 9),
            _ => self.code(symbol - 256, 7),
        }
    }

    fn copy(&mut self, length: usize, distance: usize) {
        self.literal(254 + length as u32);
        if distance == 3 {
            self.code(2, 5);
        } else {
            // Distances 385 to 512 have code 17 and seven extra bits.
            self.code(17, 5);
            self.push(distance as u32 - 385, 7);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.push(0, (8 - self.count) % 8);
        self.bytes
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| (c >> 1) ^ (0xedb8_8320 & (c & 1).wrapping_neg()))
    })
}

fn adler32(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((1u32, 0u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    high << 16 | low
}

fn base64(bytes: &[u8]) -> String {
    let digit = |value: u32| match (value & 63) as u8 {
        n @ 0..=25 => b'A' + n,
        n @ 26..=51 => b'a' + n - 26,
        n @ 52..=61 => b'0' + n - 52,
        62 => b'+',
        _ => b'/',
    };
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, i| word << 8 | u32::from(group.get(i).copied().unwrap_or(0)));
        for place in 0..4 {
            text.push(if place <= group.len() { char::from(digit(word >> (18 - 6 * place))) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_and_base64_match_the_published_vectors() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        assert_eq!((base64(b"f"), base64(b"foobar")), ("Zg==".into(), "Zm9vYmFy".into()));
    }

    #[test]
    fn the_picture_is_a_small_png() {
        let text = berth_board();
        assert!(text.starts_with("iVBORw0KGgo"));
        assert!((500..20_000).contains(&text.len()), "{}", text.len());
        // The row distance must be one that `copy` knows how to write.
        assert!((385..=512).contains(&(WIDTH * 3 + 1)));
    }
}
