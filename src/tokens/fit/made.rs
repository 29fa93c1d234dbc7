//! Texts that are made: logs, tables, data, runs of one character.

use super::Sample;
use fastrand::Rng;
use std::iter::repeat_with;

/// How many samples a group has.
const SAMPLES: usize = 24;

/// How a sample is made.
type Make = fn(&mut Rng) -> String;

const MAKERS: [(&str, Make); 17] = [
    ("base64", |rng| encoded(rng, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 3_000)),
    ("hex", |rng| hex(rng, 3_000)),
    ("hashes", |rng| lines(rng, 40, |rng| format!("{}  {}.bin", hex(rng, 64), word(rng)))),
    ("uuids", |rng| lines(rng, 80, uuid)),
    ("dump", |rng| lines(rng, 40, dump_line)),
    ("numbers", |rng| lines(rng, 12, |rng| repeat_with(|| format!("{} ", number(rng))).take(12).collect())),
    ("log.server", |rng| lines(rng, 30, server_line)),
    ("log.access", |rng| lines(rng, 25, access_line)),
    ("log.files", |rng| lines(rng, 40, listed_file)),
    ("log.paths", |rng| lines(rng, 60, path)),
    ("table.csv", |rng| {
        lines(rng, 60, |rng| {
            format!("{},{},{}@{}.org,{},{}", rng.u32(1..9999), word(rng), word(rng), word(rng), number(rng), day(rng))
        })
    }),
    ("table.markdown", |rng| {
        lines(rng, 50, |rng| format!("| {} | {:<14} | {:>9} | {} |", rng.u32(1..99), word(rng), number(rng), word(rng)))
    }),
    ("json.compact", |rng| {
        format!("[{}]", repeat_with(|| object(rng, "", ":", ",")).take(25).collect::<Vec<_>>().join(","))
    }),
    ("json.pretty", |rng| {
        format!(
            "[\n  {}\n]",
            repeat_with(|| object(rng, "\n    ", ": ", ",")).take(20).collect::<Vec<_>>().join(",\n  ")
        )
    }),
    ("table.semicolons", |rng| lines(rng, 60, semicolons)),
    ("emoji", |rng| drawn(rng, "😀 😃 😄 🎉 🚀 📥 🔥 💡 🐛 🧪 📦 🤖 🦀 🥺 👍 🙏 🎨 🚧", 300)),
    ("emoji.sequences", |rng| drawn(rng, "👩‍💻 ❤️ ⚠️ 👍🏽 🇩🇪 ☀️ 👨‍👩‍👧 ✔️ 🏳️‍🌈 🖥️ 1️⃣ 🧑🏾‍🚀 ⏱️ 🗂️", 150)),
];

/// A language of which no package has sources.
const JAVA: &str = r#"
package org.example.library.loans;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps who has which book, and until when.
 */
@Service
public class LoanRegister implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(LoanRegister.class);
    private static final int MAX_DAYS = 28;

    private final Map<String, Loan> loansByBook = new HashMap<>();
    private final ReaderRepository readers;

    public LoanRegister(ReaderRepository readers) {
        this.readers = Objects.requireNonNull(readers, "readers");
    }

    @Transactional
    public Loan lend(String bookId, long readerId, LocalDate today) throws UnknownReaderException {
        Reader reader = readers.findById(readerId).orElseThrow(() -> new UnknownReaderException(readerId));
        if (loansByBook.containsKey(bookId)) {
            throw new IllegalStateException("book " + bookId + " has not come back yet");
        }
        Loan loan = new Loan(bookId, reader, today.plusDays(MAX_DAYS));
        loansByBook.put(bookId, loan);
        LOGGER.info("lent {} to reader {} until {}", bookId, reader.getId(), loan.getDueDate());
        return loan;
    }

    public boolean isOverdue(String bookId, LocalDate today) {
        final Loan loan = loansByBook.get(bookId);
        return loan != null && loan.getDueDate().isBefore(today);
    }

    @Override
    public void close() {
        for (Map.Entry<String, Loan> entry : loansByBook.entrySet()) {
            LOGGER.warn("{} is still out", entry.getKey());
        }
        loansByBook.clear();
    }
}
"#;

/// What no package has: Vietnamese in composed letters, and other languages as people talk at work.
const PROSE: [(&str, &str); 6] = [
    (
        "hindi",
        "कल रात मैंने सारे परीक्षण दोबारा चलाए और तीन असफल रहे। पहले दो तो सिर्फ़ सर्वर के समय क्षेत्र की वजह से, लेकिन तीसरा अलग \
         है: जब उपयोगकर्ता पासवर्ड बदलकर तुरंत लॉग इन करता है, तब भी पुराना सत्र ही वापस आता है। मुझे लगता है कि गड़बड़ी कैश में है, \
         क्योंकि नया डेटा डिस्क पर लिखा जा चुका है पर कैश में क़रीब पाँच मिनट तक पिछला मान बना रहता है। क्या आप यह हिस्सा देख सकते \
         हैं? अगर ऐसा ही है तो हर बार पासवर्ड बदलने पर वह कुंजी हटा देना काफ़ी होगा। धन्यवाद, कल दोपहर बाद बात करते हैं।",
    ),
    (
        "persian",
        "دیشب همهٔ آزمون‌ها را دوباره اجرا کردم و سه تا از آنها رد شدند. دوتای اول فقط به خاطر منطقهٔ زمانی سرور بود، اما سومی \
         فرق دارد: وقتی کاربر رمز خود را عوض می‌کند و بلافاصله وارد می‌شود، هنوز نشست قدیمی برمی‌گردد. فکر می‌کنم مشکل از حافظهٔ نهان \
         باشد، چون دادهٔ تازه روی دیسک نوشته شده ولی مقدار قبلی حدود پنج دقیقه باقی می‌ماند. می‌توانی این بخش از کد را ببینی؟ ممنون، \
         فردا بعدازظهر صحبت می‌کنیم.",
    ),
    (
        "russian",
        "Вчера вечером я снова запустил все тесты, и три из них не прошли. Первые два только из-за часового пояса на \
         сервере, а с третьим всё иначе: если пользователь меняет пароль и сразу входит в систему, она возвращает старую \
         сессию. Думаю, дело в кэше: новые данные уже записаны на диск, но в кэше ещё около пяти минут хранится прежнее \
         значение. Можешь посмотреть эту часть кода? Если так и есть, нам нужно просто удалять ключ каждый раз, когда \
         пароль меняется. Кроме того, надо обновить документацию, потому что сейчас там описана прошлая версия. Спасибо, \
         поговорим завтра после обеда.",
    ),
    (
        "chinese",
        "昨天晚上我把所有测试重新跑了一遍，发现有三个没有通过。前两个只是因为服务器的时区设置不对，第三个就不一样了：\
         用户修改密码以后马上登录，系统返回的还是旧的会话。我觉得原因在缓存，新的数据已经写到磁盘上了，可是缓存里还保留\
         着大约五分钟以前的值。你能不能帮我看一下处理这部分的代码？如果真是这样，我们只要在每次修改密码的时候删除对应的\
         键就可以了。另外，使用说明也需要更新，因为现在写的还是上一个版本的做法。谢谢你，明天下午再聊。",
    ),
    (
        "vietnamese",
        "Tối qua tôi chạy lại toàn bộ bài kiểm tra và thấy ba bài bị lỗi. Hai bài đầu chỉ vì múi giờ của máy chủ, \
         nhưng bài thứ ba thì khác: khi người dùng đổi mật khẩu rồi đăng nhập ngay lập tức, hệ thống vẫn trả về phiên \
         làm việc cũ. Tôi nghĩ nguyên nhân nằm ở bộ nhớ đệm, vì dữ liệu mới đã được ghi xuống đĩa mà bộ nhớ đệm vẫn giữ \
         giá trị trước đó trong khoảng năm phút. Bạn có thể xem giúp tôi đoạn mã xử lý phần này không? Nếu đúng như vậy \
         thì chúng ta chỉ cần xóa khóa tương ứng mỗi khi mật khẩu thay đổi. Ngoài ra, tài liệu hướng dẫn cũng cần được \
         cập nhật, bởi vì hiện giờ nó vẫn mô tả cách làm của phiên bản trước. Cảm ơn bạn nhiều, hẹn gặp lại vào chiều mai.",
    ),
    (
        "japanese",
        "昨日の夜、テストを全部走らせ直したら三つ落ちていました。最初の二つはサーバーの時刻設定のせいでしたが、\
         三つ目はちょっと違います。パスワードを変えたあとすぐにログインすると、古いセッションがそのまま返ってくるんです。\
         たぶんキャッシュが原因だと思います。新しい値はもう保存されているのに、キャッシュのほうは五分くらい前の値を\
         持ち続けているみたいで。すみませんが、このあたりのコードを一度見てもらえませんか。もしそうなら、パスワードが\
         変わるたびに該当するキーを消すだけで済みそうです。それから説明書も直さないといけません。今のままだと前の版の\
         やり方が書いてありますから。よろしくお願いします。また明日の午後に話しましょう。",
    ),
];

/// What stands in long runs: rulers, indents, rows of dots.
const RUNS: [&str; 22] = [
    " ",
    "\n",
    "\t",
    "-",
    "=",
    "*",
    "#",
    "_",
    ".",
    "a",
    "0",
    "/",
    "x",
    "X",
    "    ",
    "\n\n",
    "- ",
    "; ",
    "() ",
    "word",
    "slow ",
    "reef cove ",
];

pub(super) fn samples() -> Vec<Sample> {
    let mut rng = Rng::with_seed(11);
    let mut samples = Vec::new();
    for (group, make) in MAKERS {
        samples.extend(repeat_with(|| Sample { group: group.to_owned(), text: make(&mut rng) }).take(SAMPLES));
    }
    let prose = PROSE.map(|(language, text)| Sample { group: format!("talk.{language}"), text: text.to_owned() });
    samples.extend(prose);
    samples.push(Sample { group: "code.java".to_owned(), text: JAVA.to_owned() });
    for run in RUNS {
        let length = |times| Sample { group: format!("run.{run}"), text: run.repeat(times) };
        samples.extend([100, 400, 1_600].map(length));
    }
    samples
}

fn encoded(rng: &mut Rng, alphabet: &[u8], length: usize) -> String {
    repeat_with(|| char::from(alphabet[rng.usize(..alphabet.len())])).take(length).collect()
}

/// So many of some words, without a space.
fn drawn(rng: &mut Rng, words: &str, count: usize) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    repeat_with(|| words[rng.usize(..words.len())]).take(count).collect()
}

fn hex(rng: &mut Rng, length: usize) -> String {
    encoded(rng, b"0123456789abcdef", length)
}

fn uuid(rng: &mut Rng) -> String {
    [8, 4, 4, 4, 12].map(|length| hex(rng, length)).join("-")
}

fn lines(rng: &mut Rng, count: usize, line: impl Fn(&mut Rng) -> String) -> String {
    repeat_with(|| line(rng)).take(count).collect::<Vec<_>>().join("\n")
}

const WORDS: &str = "account address amount archive author balance branch bucket button cache channel client column \
    comment commit config context counter country currency cursor customer delivery device document domain element \
    endpoint entry error event export factory feature field filter folder format function gateway group handler header \
    history image import index input invoice issue item journal layer ledger library limit link list loader lock \
    machine manager message method model module monitor network node object offset option order output owner package \
    page panel parent password payment person pipeline plugin policy product profile project property provider query \
    queue reader record region release remote report request resource response result review role route rule sample \
    schema screen script search section secret server service session setting shape signal source stage state status \
    storage stream string subject summary switch symbol system table target task template tenant test thread ticket \
    token topic total trace transfer trigger update upload user value vendor version video view volume wallet widget \
    window worker zone";

fn word(rng: &mut Rng) -> &'static str {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    words[rng.usize(..words.len())]
}

fn semicolons(rng: &mut Rng) -> String {
    let day = format!("{:02}.{:02}.20{:02}", rng.u8(1..29), rng.u8(1..13), rng.u8(10..30));
    format!("{};{};{};{day};{}", word(rng), number(rng), rng.u32(..99_999), word(rng))
}

fn number(rng: &mut Rng) -> String {
    format!("{:.*}", rng.usize(0..6), rng.f64() * 10_f64.powi(rng.i32(0..6)))
}

fn day(rng: &mut Rng) -> String {
    format!("20{:02}-{:02}-{:02}", rng.u8(10..30), rng.u8(1..13), rng.u8(1..29))
}

fn time(rng: &mut Rng) -> String {
    format!("{}T{:02}:{:02}:{:02}.{:03}Z", day(rng), rng.u8(..24), rng.u8(..60), rng.u8(..60), rng.u16(..1000))
}

fn path(rng: &mut Rng) -> String {
    let depth = rng.usize(2..7);
    let folders: String = repeat_with(|| format!("/{}", word(rng))).take(depth).collect();
    let end = [".rs", ".json", ".so.1", "-v2.log", ".test.ts", ".md", ""][rng.usize(..7)];
    format!("{folders}/{}_{}{end}", word(rng), word(rng))
}

fn server_line(rng: &mut Rng) -> String {
    let level = ["INFO", "WARN", "ERROR", "DEBUG", "info"][rng.usize(..5)];
    let says = match rng.u8(..5) {
        0 => format!("GET {} took {} ms, status={}", path(rng), rng.u32(1..900), rng.u32(200..504)),
        1 => format!("connection from 10.{}.{}.{}:{} closed", rng.u8(..), rng.u8(..), rng.u8(..), rng.u16(1024..)),
        2 => format!("{}-{} picked job {} of the {}", word(rng), rng.u8(1..16), hex(rng, 16), word(rng)),
        3 => format!("no {} for key={}:{}, ttl={}s", word(rng), word(rng), rng.u32(..), rng.u16(..)),
        _ => format!("could not load the {} of {}: timed out after {}ms", word(rng), word(rng), rng.u16(..)),
    };
    format!("{} [{level}] {}: {says}", time(rng), word(rng))
}

fn access_line(rng: &mut Rng) -> String {
    format!(
        "{}.{}.{}.{} - - [{:02}/Mar/2026:{:02}:{:02}:{:02} +0000] \"GET {}?{}={} HTTP/1.1\" {} {} \"-\" \"Mozilla/5.0\"",
        rng.u8(..),
        rng.u8(..),
        rng.u8(..),
        rng.u8(..),
        rng.u8(1..29),
        rng.u8(..24),
        rng.u8(..60),
        rng.u8(..60),
        path(rng),
        word(rng),
        rng.u32(..9999),
        rng.u16(200..505),
        rng.u32(..99_999),
    )
}

fn listed_file(rng: &mut Rng) -> String {
    let mode = ["-rw-r--r--", "drwxr-xr-x", "lrwxrwxrwx"][rng.usize(..3)];
    format!(
        "{mode}  {} root root {:>8} Mar {:>2} {:02}:{:02} {}-{}",
        rng.u8(1..9),
        rng.u32(..9_999_999),
        rng.u8(1..29),
        rng.u8(..24),
        rng.u8(..60),
        word(rng),
        word(rng)
    )
}

fn dump_line(rng: &mut Rng) -> String {
    let bytes: Vec<String> = repeat_with(|| hex(rng, 4)).take(8).collect();
    let shown = encoded(rng, b"............abcdefgXYZ0127;,", 16);
    format!("{:08x}: {}  {shown}", rng.u32(..9_999_999), bytes.join(" "))
}

fn object(rng: &mut Rng, line: &str, colon: &str, comma: &str) -> String {
    let fields = [
        ("id", rng.u32(..999_999).to_string()),
        ("name", format!("\"{} {}\"", word(rng), word(rng))),
        (word(rng), format!("[\"{}\",\"{}\"]", word(rng), word(rng))),
        ("price", number(rng)),
        ("active", rng.bool().to_string()),
        ("createdAt", format!("\"{}\"", time(rng))),
        (word(rng), "null".to_owned()),
    ];
    let fields: Vec<String> = fields.map(|(key, value)| format!("{line}\"{key}\"{colon}{value}")).into();
    format!("{{{}{}}}", fields.join(comma), line.get(..line.len().saturating_sub(2)).unwrap_or_default())
}
