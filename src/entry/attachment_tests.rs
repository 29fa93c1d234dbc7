use super::*;
use crate::entry::base64::encoded;
use crate::entry::{Block, Message};

/// The blocks of a message with this block.
fn blocks(block: &str) -> Vec<Block> {
    match Message::from_json(&format!(r#"{{"role":"user","content":[{block}]}}"#)).unwrap() {
        Message::User { content } => content.blocks().to_vec(),
        other => panic!("{other:?}"),
    }
}

fn attachment(block: &str) -> Attachment {
    match &blocks(block)[..] {
        [Block::Attachment(attachment)] => attachment.clone(),
        other => panic!("{block}: {other:?}"),
    }
}

fn check(block: &str, kind: AttachmentKind, extent: Option<u32>) {
    let found = attachment(block);
    assert_eq!((found.kind, found.extent), (kind, extent), "{block}");
}

/// A PDF with this many pages, between the objects that are given.
fn pdf(pages: u32, before: &str, behind: &str) -> Vec<u8> {
    let mut file = format!("%PDF-1.7\n{before}1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n");
    for page in 0..pages {
        let number = 3 + page;
        file += &format!("{number} 0 obj\n<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]>>\nendobj\n");
    }
    let kids: Vec<String> = (0..pages).map(|page| format!("{} 0 R", 3 + page)).collect();
    file += &format!(
        "2 0 obj\n<<\n/Kids [{}]\n/Type/Pages\r\n/Count {pages} >>\nendobj\n{behind}trailer\n",
        kids.join(" ")
    );
    file.into_bytes()
}

/// A WAV of so many bytes of sound, at a rate in bytes a second, with a chunk before its form.
fn wav(byte_rate: u32, sound: usize) -> Vec<u8> {
    let mut file = b"RIFF\xff\xff\xff\xffWAVEbext\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x01\0".to_vec();
    file.extend(8_000_u32.to_le_bytes());
    file.extend(byte_rate.to_le_bytes());
    file.extend(b"\x02\0\x10\0data\xff\xff\xff\xff");
    file.resize(file.len() + sound, 7);
    file
}

/// An MP3 whose first frame has these bytes behind its sync byte, behind a tag.
fn mp3(frame: [u8; 3], mark: &[u8], length: usize) -> Vec<u8> {
    let mut file = b"ID3\x04\0\0\0\0\x01\x00".to_vec();
    file.resize(10 + 128, 0);
    file.push(0xff);
    file.extend(frame);
    file.resize(10 + 128 + 36, 0);
    file.extend(mark);
    file.resize(10 + 128 + length, 0x55);
    file
}

/// A film whose head, of this version, says how long it plays, behind so many bytes.
fn film(version: u8, units: u32, length: u64, before: usize) -> Vec<u8> {
    let mut file = b"\0\0\0\x18ftypmp42".to_vec();
    file.resize(12 + before, 0);
    file.extend(b"mvhd");
    file.push(version);
    file.resize(file.len() + if version == 0 { 11 } else { 19 }, 1);
    file.extend(units.to_be_bytes());
    if version == 0 {
        file.extend((length as u32).to_be_bytes())
    } else {
        file.extend(length.to_be_bytes())
    }
    file.resize(file.len() + 20_000, 0);
    file
}

#[test]
fn every_provider_writes_files_in_its_own_way() {
    use AttachmentKind::{Audio, Document, Text, Video};
    let pdf = encoded(&pdf(3, "", ""));
    let pdf_url = format!("data:application/pdf;base64,{pdf}");
    for block in [
        format!(r#"{{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{pdf}"}}}}"#),
        format!(r#"{{"type":"file","file":{{"filename":"a.pdf","file_data":"{pdf_url}"}}}}"#),
        format!(r#"{{"type":"input_file","filename":"a.pdf","file_data":"{pdf_url}"}}"#),
        format!(r#"{{"inlineData":{{"mimeType":"application/pdf","data":"{pdf}"}}}}"#),
        format!(r#"{{"type":"file","mediaType":"application/pdf","data":"{pdf}"}}"#),
        format!(r#"{{"type":"file","mediaType":"application/pdf","url":"{pdf_url}"}}"#),
        format!(r#"{{"type":"file","source_type":"base64","mime_type":"application/pdf","data":"{pdf}"}}"#),
        format!(r#"{{"type":"media","mediaType":"application/pdf","data":"{pdf}"}}"#),
    ] {
        check(&block, Document, Some(3));
    }
    let wav = encoded(&wav(16_000, 160_000));
    check(&format!(r#"{{"type":"input_audio","input_audio":{{"data":"{wav}","format":"wav"}}}}"#), Audio, Some(11));
    check(&format!(r#"{{"inlineData":{{"mimeType":"audio/wav","data":"{wav}"}}}}"#), Audio, Some(11));
    check(&format!(r#"{{"type":"audio","source_type":"base64","data":"{wav}"}}"#), Audio, Some(11));
    let film = encoded(&film(0, 600, 6_000, 0));
    check(&format!(r#"{{"inlineData":{{"mimeType":"video/mp4","data":"{film}"}}}}"#), Video, Some(10));
    check(r#"{"inlineData":{"mimeType":"text/csv","data":"YSxi"}}"#, Text, None);
}

#[test]
fn data_that_lies_elsewhere_has_no_length() {
    use AttachmentKind::{Audio, Document, Video};
    for (block, kind) in [
        (r#"{"type":"document","source":{"type":"url","url":"https://example.org/a.pdf"}}"#, Document),
        (r#"{"type":"document","source":{"type":"file","file_id":"file_1"}}"#, Document),
        (r#"{"type":"file","file":{"file_id":"file-1"}}"#, Document),
        (r#"{"type":"input_file","file_url":"https://example.org/a.pdf"}"#, Document),
        (r#"{"type":"input_file","file_id":"file-1"}"#, Document),
        (r#"{"type":"file","mediaType":"application/pdf","data":"https://example.org/a.pdf"}"#, Document),
        (r#"{"fileData":{"mimeType":"audio/mp3","fileUri":"https://example.org/a"}}"#, Audio),
        (r#"{"fileData":{"mimeType":"video/mp4","fileUri":"https://example.org/a"}}"#, Video),
        (r#"{"type":"document","source":{"type":"base64","media_type":7,"data":[]}}"#, Document),
        (r#"{"type":"document","source":"somewhere"}"#, Document),
        (r#"{"type":"document"}"#, Document),
    ] {
        assert_eq!(attachment(block), Attachment { kind, data_length: 0, extent: None }, "{block}");
    }
}

#[test]
fn texts_and_images_in_documents_are_texts_and_images() {
    let text = |text: &str| Block::Text(text.to_owned());
    let source = |source: &str| blocks(&format!(r#"{{"type":"document","title":"Notes","source":{source}}}"#));
    assert_eq!(
        source(r#"{"type":"text","media_type":"text/plain","data":"The build is red."}"#),
        [text("The build is red.")]
    );
    assert_eq!(source(r#"{"type":"content","content":"The build is red."}"#), [text("The build is red.")]);
    let gif = r#"{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhCAAGAA=="}}"#;
    let nested = r#"{"type":"document","source":{"type":"content","content":[{"type":"text","text":"never"}]}}"#;
    let both = source(&format!(r#"{{"type":"content","content":[{{"type":"text","text":"See:"}},{gif},{nested}]}}"#));
    let [Block::Text(said), Block::Image(image), Block::Attachment(_)] = &both[..] else { panic!("{both:?}") };
    assert_eq!((said.as_str(), image.size.map(|size| (size.width, size.height))), ("See:", Some((8, 6))));
    let linked = blocks(r#"{"fileData":{"mimeType":"image/png","fileUri":"https://example.org/a.png"}}"#);
    assert!(matches!(&linked[..], [Block::Image(image)] if image.size.is_none()), "{linked:?}");
}

#[test]
fn what_is_no_file_stays_unknown() {
    for block in [
        r#"{"type":"source-url","url":"https://example.org","mediaType":"text/html"}"#,
        r#"{"type":"refusal","refusal":"No."}"#,
        r#"{"executableCode":{"code":"1"}}"#,
        r#"{"type":"document_"}"#,
        "{}",
    ] {
        assert_eq!(blocks(block), [Block::Unknown], "{block}");
    }
}

#[test]
fn a_text_that_stands_for_a_file_of_a_format_has_it_behind() {
    let pdf = encoded(&pdf(2, "", ""));
    let part =
        format!(r#"{{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{pdf}"}}}}"#);
    let found =
        blocks(&format!(r#"{{"type":"text","text":"[a.pdf]","anthropic":{{"is":{part}}},"cache_control":{{}}}}"#));
    assert!(matches!(&found[..], [Block::Text(_), Block::Attachment(Attachment { extent: Some(2), .. })]), "{found:?}");
    for beside in
        [r#""anthropic":{"is":{"type":"refusal"}}"#, r#""anthropic":{"part":{}}"#, r#""is":7"#, r#""a":["is"]"#]
    {
        let found = blocks(&format!(r#"{{"type":"text","text":"[a.pdf]",{beside}}}"#));
        assert_eq!(found, [Block::Text("[a.pdf]".into())], "{beside}");
    }
}

fn extent(kind: AttachmentKind, file: &[u8]) -> Option<u32> {
    Attachment::new(kind, &encoded(file)).extent
}

fn pages(file: &[u8]) -> Option<u32> {
    extent(AttachmentKind::Document, file)
}

#[test]
fn the_root_of_the_pages_says_how_many_there_are() {
    let outline = "9 0 obj\n<</Type /Outlines /Count 77>>\nendobj\n";
    let branch = "8 0 obj\n<</Type /Pages /Parent 2 0 R /Count 88>>\nendobj\n";
    assert_eq!(pages(&pdf(4, outline, branch)), Some(4));
    // At the end of a long file, behind its pictures.
    let picture = format!("7 0 obj\nstream\n{}\nendstream\nendobj\n", "\u{7f}".repeat(400_000));
    assert_eq!(pages(&pdf(12, &picture, outline)), Some(12));
    // At its beginning, made for the web.
    let first = "7 0 obj\n<</Linearized 1/L 9/H [ 1 2]/O 3/E 4/N 31/T 5>>\nendobj\n";
    assert_eq!(pages(&[b"%PDF-1.4\n", first.as_bytes(), picture.as_bytes(), picture.as_bytes()].concat()), Some(31));
    // In the middle of a long file nobody looks.
    assert_eq!(pages(&pdf(12, &picture, &picture)), None);
}

#[test]
fn numbers_of_pages_beyond_belief_count_as_none() {
    let count =
        |count: &str| format!("%PDF-1.7\n2 0 obj\n<</Type/Pages/Count {count}>>\nendobj\n{}", " ".repeat(40_000));
    assert_eq!(pages(count("1000").as_bytes()), Some(1_000));
    for lie in ["1001", "0", "-7", "99999999999999999999", "", "x"] {
        assert_eq!(pages(count(lie).as_bytes()), None, "{lie}");
    }
    // More pages than would fit.
    assert_eq!(pages(b"%PDF-1.7\n2 0 obj\n<</Type/Pages/Count 900>>\nendobj\n"), None);
}

#[test]
fn cut_files_and_noise_have_no_extent_and_cost_little() {
    let whole = pdf(3, "", "");
    for length in 0..whole.len() - 20 {
        assert_eq!(pages(&whole[..length]), None, "{length}");
    }
    let noise: Vec<u8> = (0..200_000_u32).map(|byte| (byte.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for kind in [AttachmentKind::Document, AttachmentKind::Audio, AttachmentKind::Video, AttachmentKind::Text] {
        assert_eq!(extent(kind, &noise), None);
        for data in ["", "=", "data:", "%%%%", "é"] {
            assert_eq!(Attachment::new(kind, data).extent, None, "{data}");
        }
    }
    // Only the ends of a long file are looked at.
    let long = "A".repeat(50_000_000);
    let mut time = std::time::Duration::ZERO;
    for begins in ["JVBERi0xLjcK", "UklGRv////9XQVZF", "SUQzBAAA", "AAAAGGZ0eXBt"] {
        let data = format!("{begins}{long}");
        let started = std::time::Instant::now();
        for kind in [AttachmentKind::Document, AttachmentKind::Audio] {
            assert_eq!(Attachment::new(kind, &data).extent, None);
        }
        time += started.elapsed();
    }
    assert!(time.as_secs() < 2, "{time:?}");
}

#[test]
fn recordings_say_how_fast_they_play() {
    use AttachmentKind::Audio;
    // 16 000 bytes a second, with the head a begun one.
    assert_eq!(extent(Audio, &wav(16_000, 16_000 * 30)), Some(31));
    // MPEG 1 at 128 kbit a second, MPEG 2 at 64.
    assert_eq!(extent(Audio, &mp3([0xfb, 0x90, 0], b"Info", 16_000 * 20)), Some(20));
    assert_eq!(extent(Audio, &mp3([0xf3, 0x80, 0], b"", 8_000 * 20)), Some(20));
    for changes in [b"Xing", b"VBRI"] {
        assert_eq!(extent(Audio, &mp3([0xfb, 0x90, 0], changes, 16_000 * 20)), None);
    }
    // No rate, a rate that is none, another layer.
    for frame in [[0xfb, 0x00, 0], [0xfb, 0xf0, 0], [0xfd, 0x90, 0], [0x1b, 0x90, 0]] {
        assert_eq!(extent(Audio, &mp3(frame, b"", 16_000)), None, "{frame:?}");
    }
    for lie in [0, 1, 100] {
        assert_eq!(extent(Audio, &wav(lie, 16_000)), None, "{lie} bytes a second");
    }
    assert_eq!(extent(Audio, b"RIFF\0\0\0\0WAVEfact\xff\xff\xff\xff"), None);
}

#[test]
fn films_say_how_long_they_play_at_either_end() {
    use AttachmentKind::{Audio, Video};
    assert_eq!(extent(Video, &film(0, 1_000, 12_345, 0)), Some(13));
    assert_eq!(extent(Audio, &film(1, 44_100, 44_100 * 20, 200_000)), Some(20));
    // In the middle, without units, longer than anything of its size, longer than any number.
    let hidden = [film(0, 1_000, 12_345, 60_000), vec![0; 60_000]].concat();
    assert_eq!(extent(Video, &hidden), None);
    assert_eq!(extent(Video, &film(0, 0, 12_345, 0)), None);
    assert_eq!(extent(Video, &film(0, 1, 1_000, 0)), None);
    assert_eq!(extent(Video, &film(1, 1, u64::MAX, 0)), None);
}
