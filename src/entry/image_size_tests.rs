use super::*;
use crate::entry::base64::encoded;

fn size_of(data: &str) -> Option<PixelSize> {
    image_size(&Base64::of(data))
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x06\0\0\0");
    bytes
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    [b"GIF89a", &width.to_le_bytes()[..], &height.to_le_bytes(), b"\xf7\0\0"].concat()
}

/// A JPEG with segments of the given lengths before its frame.
fn jpeg(marker: u8, before: &[usize], width: u16, height: u16) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8];
    for &length in before {
        bytes.extend([0xff, 0xe1]);
        bytes.extend((length as u16 + 2).to_be_bytes());
        bytes.extend(std::iter::repeat_n(0xc0, length));
    }
    bytes.extend([0xff, marker, 0, 17, 8]);
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend([3; 40]);
    bytes
}

fn webp(chunk: &[u8]) -> Vec<u8> {
    [b"RIFF\x24\0\0\0WEBP", chunk].concat()
}

fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    size_of(&encoded(bytes)).map(|size| (size.width, size.height))
}

#[test]
fn each_format_says_its_size() {
    assert_eq!(size(&png(1920, 1080)), Some((1920, 1080)));
    assert_eq!(size(&png(65_535, 1)), Some((65_535, 1)));
    assert_eq!(size(&gif(640, 480)), Some((640, 480)));
    assert_eq!(size(&[b"GIF87a", &gif(3, 65_535)[6..]].concat()), Some((3, 65_535)));
    assert_eq!(size(&webp(b"VP8 \x18\0\0\0\x30\x01\0\x9d\x01\x2a\x20\x43\x58\x82")), Some((0x320, 0x258)));
    assert_eq!(size(&webp(b"VP8L\x18\0\0\0\x2f\x1f\xc3\x95\0")), Some((800, 600)));
    assert_eq!(size(&webp(b"VP8X\x0a\0\0\0\x10\0\0\0\x7f\x07\0\x37\x04\0more")), Some((1920, 1080)));
    for baseline_or_progressive in [0xc0, 0xc1, 0xc2, 0xcf] {
        assert_eq!(size(&jpeg(baseline_or_progressive, &[], 4000, 3000)), Some((4000, 3000)));
    }
}

#[test]
fn a_jpeg_is_searched_behind_its_thumbnail_but_not_for_ever() {
    // The thumbnail holds what looks like a frame.
    assert_eq!(size(&jpeg(0xc2, &[14, 30_000, 0, 20_000], 640, 480)), Some((640, 480)));
    assert_eq!(size(&jpeg(0xc0, &[60_000, 60_000], 640, 480)), None);
    let filled = [&[0xff, 0xd8, 0xff, 0xff, 0xff][..], &jpeg(0xc0, &[], 7, 9)[2..]].concat();
    assert_eq!(size(&filled), Some((7, 9)));
    let restarted = [&[0xff, 0xd8, 0xff, 0xd0][..], &jpeg(0xc0, &[], 7, 9)[2..]].concat();
    assert_eq!(size(&restarted), Some((7, 9)));
    for tables in [0xc4, 0xc8, 0xcc] {
        assert_eq!(size(&jpeg(tables, &[], 640, 480)), None);
    }
}

#[test]
fn what_a_header_cannot_mean_is_no_size() {
    for (width, height) in [(65_536, 10), (10, 65_536), (u32::MAX, u32::MAX), (0, 10), (10, 0), (1 << 31, 1)] {
        assert_eq!(size(&png(width, height)), None, "{width} x {height}");
    }
    // A canvas of 16 777 216 pixels a side.
    assert_eq!(size(&webp(b"VP8X\x0a\0\0\0\x10\0\0\0\xff\xff\xff\xff\xff\xff")), None);
    // A chunk before the header, as in files that were made for one vendor's devices.
    let mut crushed = png(800, 600);
    crushed.splice(8..8, *b"\0\0\0\x04CgBI\x50\0\x20\x06\x2c\xb8\x77\x66");
    assert_eq!(size(&crushed), None);
    // What says that it is another format than it is goes by its first bytes.
    assert_eq!(
        size_of(&format!("data:image/jpeg;base64,{}", encoded(&png(8, 6)))),
        Some(PixelSize { width: 8, height: 6 })
    );
}

#[test]
fn data_urls_white_space_and_the_other_alphabet() {
    let plain = encoded(&png(800, 600));
    let wrapped =
        plain.as_bytes().chunks(19).map(|line| String::from_utf8_lossy(line)).collect::<Vec<_>>().join("\r\n");
    let found = [
        format!("data:image/png;base64,{plain}"),
        format!("data:;base64,{plain}"),
        format!(" \n{wrapped}"),
        format!("data:image/png;charset=utf-8;base64,\n{wrapped}"),
        plain.replace('+', "-").replace('/', "_"),
        plain.trim_end_matches('=').to_owned(),
    ];
    for data in found {
        assert_eq!(size_of(&data), Some(PixelSize { width: 800, height: 600 }), "{data}");
    }
}

#[test]
fn what_is_damaged_has_no_size() {
    let whole = [png(800, 600), gif(8, 6), jpeg(0xc0, &[20], 8, 6), webp(b"VP8L\x18\0\0\0\x2f\x1f\xc3\x95\0")];
    for (bytes, needed) in whole.iter().zip([24, 10, 2 + 24 + 9, 25]) {
        for length in 0..needed {
            assert_eq!(size(&bytes[..length]), None, "{length} of {bytes:?}");
        }
        assert!(size(&bytes[..needed]).is_some(), "{bytes:?}");
    }
    assert_eq!((size(&png(0, 600)), size(&gif(8, 0))), (None, None));
    let text = encoded(&png(800, 600));
    for data in ["", "=", "data:", "data:image/png;base64", "https://example.org/a.png", "é", &text[4..], &text[..20]]
    {
        assert_eq!(size_of(data), None, "{data}");
    }
    assert_eq!(size_of(&format!("{}*{}", &text[..12], &text[12..])), None);
    // Segments that say they are shorter than their own length end nothing and loop nowhere.
    assert_eq!(size(&[0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 1]), None);
    assert_eq!(size(&[vec![0xff, 0xd8], vec![0xff; 200_000]].concat()), None);
}
