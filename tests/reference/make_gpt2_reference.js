// Make gpt2.json: texts and the tokens that the npm package gpt-3-encoder 1.1.4 gives for them.
//
// usage: node make_gpt2_reference.js PACKAGE_FOLDER OUTPUT
//
// Each entry is [text, tokens]; the tokens stand in the letters of the package's vocabulary, where
// each byte is one letter, with spaces between them. U+0085 and U+FEFF are left out of all texts:
// the package takes them for the opposite of what GPT-2 does (see assets/gpt2/README.md). So are
// the newest characters, whose category depends on the version of Unicode.
'use strict';
const fs = require('fs');
const path = require('path');

const WRITTEN = [
  '', ' ', '  ', 'a', ' a', 'the', ' the', '\n', '\t', "'", "'s", '.',
  "the animal didn't cross the street because it was too tired",
  'The quick brown fox jumps over the lazy dog.',
  "I'm sure they're here, we've been, you'll see, he'd go, it's late, don't.",
  "I'M SURE THEY'RE HERE, WE'VE BEEN, YOU'LL SEE, HE'D GO, IT'S LATE, DON'T.",
  "'s't're've'm'll'd 's 't 're 've 'm 'll 'd ''s ''''t 'sx 'rex 'r 'v 'l '",
  'It’s “quoted” — with dashes – and ellipses… and €5, £6, ¥7.',
  'antidisestablishmentarianism tokenization unbelievably supercalifragilisticexpialidocious',
  'one  two   three    four     five      six',
  'trailing space ', 'trailing spaces   ', '  leading', '\n\n\nlines\n\n  and\t\ttabs\t \n',
  'a \n b\r\n c\r\n\r\n d \t \t e\u000b\u000cf\n ', '   \n   ', ' \n', '\n ', '\t \t',
  'no\u00a0break \u00a0 space\u2003em\u2003\u2003space\u3000ideographic\u1680ogham',
  'line\u2028separator\u2029paragraph \u2028 x',
  'zero\u200bwidth\u200djoiner\u200cnon\u00adsoft\u180emongolian\u2060word',
  'int main(void) {\n    return x[i] == 0 ? a->b : c++; /* ok */\n}\n',
  'def f(x):\n\treturn {"k": [1, 2.5e-3, None], **kw}  # comment\n',
  '<div class="a b">&nbsp;</div> https://example.org/a?b=c&d=%20#e user@example.org',
  '0 1 12 123 1234 12345 3.14159 1,000,000 2024-01-02 0xDEADBEEF 1e10 x2 2x a1b2',
  '½ ² ³ ¼ Ⅷ ⅳ ① ㊿ ٣٤٥ १२३ ๓ 𝟘𝟙 〇 一二三',
  '!!! ??? ... ---- ==== ####  //// ,,, ,,,, ;;; "" \'\' `` () [] {} <> @@ ~~ ||',
  'naïve café résumé Ångström Straße İstanbul œuvre ﬁne ǅ ﷺ',
  'cafe\u0301 re\u0301sume\u0301 n\u0303 \u0301 a\u0300\u0316\u0327',
  'Привет, мир! Как дела?', 'Γειά σου Κόσμε', 'שלום עולם', 'שָׁלוֹם', 'مرحبا بالعالم، كيف الحال؟',
  'می‌خواهم', 'नमस्ते दुनिया', 'สวัสดีชาวโลก', 'வணக்கம்', '안녕하세요 세계', '한국어',
  '你好,世界。今天天气很好!', '日本語のテキスト、カタカナ', 'ｆｕｌｌ　ｗｉｄｔｈ', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈𐌰 𓀀',
  '🙂', ' 🙂', '🙂🙃', '👩‍👩‍👧‍👦 👍🏽 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ❤️ ☃', 'a🙂b 🙂c🙂 d',
  '\u0001\u0002\u001b[0m\u007f\u0080\u009f x\u001cy\u001d \u001e\u001f', '\ufffd\ufffe \uffff \ue000',
  'ÃÂÃÂÃÂÃÂÃÂÃÂÃÂÃÂ', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  '                                                                      x', ',,,,,,,,,,,,,,,,,,,',
  '<|endoftext|>', 'Ġthe ĠĊ', 'SolidGoldMagikarp petertodd', 'ZeroOne  The\tThe\nThe',
];

// Ranges whose characters have long been what they are.
const RANGES = [
  [0x01, 0x7f], [0x20, 0x7e], [0x86, 0x17f], [0x180, 0x24f], [0x300, 0x34e], [0x391, 0x3a1],
  [0x400, 0x52f], [0x5d0, 0x5ea], [0x610, 0x6dc], [0x905, 0x939], [0xe01, 0xe3a],
  [0x1e00, 0x1eff], [0x2000, 0x2027], [0x202a, 0x2064], [0x20a0, 0x20b5], [0x2150, 0x2188],
  [0x2190, 0x23f3], [0x2460, 0x27bf], [0x3001, 0x303f], [0x3041, 0x3096], [0x30a1, 0x30fa],
  [0x4e00, 0x9fa5], [0xac00, 0xd7a3], [0xff01, 0xffbe], [0x10330, 0x1034a], [0x1d400, 0x1d454],
  [0x1f300, 0x1f5ff], [0x1f600, 0x1f64f], [0x20000, 0x2a6d6],
];

const PIECES = [
  ' ', '  ', '   ', '\n', '\t', '\r\n', "'", "'s", "'t", "'re", "'ll", "'D", '’s', 'a', 'The', 'ing',
  'un', 'token', '1', '23', '2024', '½', '!', '...', ',', '-', '_', '=', '(', ');', '"', 'é', 'e\u0301',
  'ß', '日本', '語', 'かな', '한국', 'مر', 'שלום', 'हि', '🙂', '👍🏽', '\u00a0', '\u3000', '\u200b',
  '\u200d', '\ufe0f', '\u2028', 'Ⅷ', '٣', '𝔘', '\u0001', '\u001c', ' the', ' of', 'ÃÂ', '€', '—',
];

// Numerical Recipes' generator: the same texts every time.
let seed = 1;
function draw(count) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 4294967296) * count);
}

function drawnCharacters() {
  return Array.from({ length: 1 + draw(16) }, () => {
    const [first, last] = RANGES[draw(RANGES.length)];
    return String.fromCodePoint(first + draw(last - first + 1));
  }).join('');
}

function drawnPieces() {
  return Array.from({ length: 1 + draw(14) }, () => PIECES[draw(PIECES.length)]).join('');
}

function main() {
  const [folder, output] = process.argv.slice(2);
  const { encode } = require(path.resolve(folder));
  const numbers = JSON.parse(fs.readFileSync(path.join(folder, 'encoder.json'), 'utf8'));
  const letters = Object.fromEntries(Object.entries(numbers).map(([token, id]) => [id, token]));
  const drawn = Array.from({ length: 300 }, (_, i) => (i % 2 ? drawnCharacters() : drawnPieces()));
  const rows = WRITTEN.concat(drawn).map((text) => {
    if (/[\u0085\ufeff\0]/.test(text)) throw new Error(`not to be used: ${JSON.stringify(text)}`);
    return JSON.stringify([text, encode(text).map((id) => letters[id]).join(' ')]);
  });
  fs.writeFileSync(output, `[\n${rows.join(',\n')}\n]\n`);
}

main();
