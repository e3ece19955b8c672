// browser.js: the functions that browser.h and lib/ declare, implemented by the browser. Page is
// defined in page.js.
mergeInto(LibraryManager.library, {
  $css: function(c) { return `rgba(${c >>> 24},${(c >>> 16) & 255},${(c >>> 8) & 255},${(c & 255) / 255})`; },

  // Return the Shade at this address as a style of the canvas.
  $shade__deps: ['$css'],
  $shade: function(at) {
    const f = HEAPF32.subarray(at >> 2, (at >> 2) + 4), from = HEAPU32[(at >> 2) + 4];
    const to = HEAPU32[(at >> 2) + 5];
    if (from === to) return css(from);
    const gradient = Page.context.createLinearGradient(f[0], f[1], f[2], f[3]);
    gradient.addColorStop(0, css(from));
    gradient.addColorStop(1, css(to));
    return gradient;
  },

  // Make the BoxShape at this address the canvas's current path.
  $outline: function(at) {
    const [x, y, w, h, radius] = HEAPF32.subarray(at >> 2, (at >> 2) + 5), c = Page.context;
    c.beginPath();
    if (radius > 0 && c.roundRect) c.roundRect(x, y, w, h, radius);
    else c.rect(x, y, w, h);
  },

  $setLine: function(at) {
    const [width, on, off] = HEAPF32.subarray(at >> 2, (at >> 2) + 3), c = Page.context;
    c.lineWidth = width;
    c.setLineDash(on > 0 ? [on, off] : []);
  },

  browser_begin__deps: ['$css'],
  browser_begin: function(width, height, ground) {
    const canvas = Page.canvas;
    Page.drawn++;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      Page.font = '';
    } else if (Page.isClipped) {
      Page.context.restore();
    }
    Page.context.save();
    Page.isClipped = true;
    Page.font = '';
    Page.context.fillStyle = css(ground);
    Page.context.fillRect(0, 0, width, height);
  },

  browser_clip: function(x, y, w, h) {
    const c = Page.context;
    c.restore();
    c.save();
    c.beginPath();
    c.rect(x, y, w, h);
    c.clip();
    Page.font = '';
  },

  browser_fill_box__deps: ['$shade', '$outline'],
  browser_fill_box: function(box, style) {
    outline(box);
    Page.context.fillStyle = shade(style);
    Page.context.fill();
  },

  browser_stroke_box__deps: ['$css', '$outline', '$setLine'],
  browser_stroke_box: function(box, line, colour) {
    outline(box);
    setLine(line);
    Page.context.strokeStyle = css(colour);
    Page.context.stroke();
  },

  browser_curve__deps: ['$shade', '$setLine'],
  browser_curve: function(at, line, style) {
    const p = HEAPF32.subarray(at >> 2, (at >> 2) + 8), c = Page.context;
    setLine(line);
    c.strokeStyle = shade(style);
    c.beginPath();
    c.moveTo(p[0], p[1]);
    c.bezierCurveTo(p[2], p[3], p[4], p[5], p[6], p[7]);
    c.stroke();
  },

  browser_fill__deps: ['$shade'],
  browser_fill: function(at, count, style) {
    const p = HEAPF32.subarray(at >> 2, (at >> 2) + 2 * count), c = Page.context;
    c.fillStyle = shade(style);
    c.beginPath();
    for (let i = 0; i < count; i++) c.lineTo(p[2 * i], p[2 * i + 1]);
    c.fill();
  },

  browser_lines__deps: ['$css'],
  browser_lines: function(at, count, width, colour) {
    const p = HEAPF32.subarray(at >> 2, (at >> 2) + 2 * count), c = Page.context;
    c.strokeStyle = css(colour);
    c.lineWidth = width;
    c.setLineDash([]);
    c.beginPath();
    for (let i = 0; i < count; i++) i % 2 ? c.lineTo(p[2 * i], p[2 * i + 1]) : c.moveTo(p[2 * i], p[2 * i + 1]);
    c.stroke();
  },

  // Set the font, a number of the enum Font in draw/font.h.
  $useFont: function(font, size) {
    const sans = 'Inter,"Segoe UI",system-ui,"DejaVu Sans",sans-serif';
    const mono = '"JetBrains Mono",ui-monospace,Consolas,"DejaVu Sans Mono",monospace';
    const math = 'STIX,"STIX Two Text",STIXGeneral,"Cambria Math","Times New Roman",serif';
    const name = ['', '600 ', '', '600 ', '', 'italic '][font] + size + 'px ' + [sans, sans, mono, mono, math, math][font];
    if (Page.font === name) return;
    Page.context.font = Page.font = name;
    Page.context.textRendering = 'geometricPrecision';
  },

  browser_text__deps: ['$useFont', '$css'],
  browser_text: function(font, size, direction, x, y, angle, colour, text, bytes) {
    const c = Page.context, words = UTF8ToString(text, bytes);
    useFont(font, size);
    c.direction = direction === 2 || (direction === 0 && Page.isRightToLeft(words)) ? 'rtl' : 'ltr';
    c.textAlign = 'left';
    c.fillStyle = css(colour);
    if (angle === 0) {
      c.fillText(words, x, y);
      return;
    }
    c.save();
    c.translate(x, y);
    c.rotate(angle);
    c.fillText(words, 0, 0);
    c.restore();
  },

  browser_image: function(rgba, x, y, w, h) {
    const scratch = Page.scratch, pixels = new Uint8ClampedArray(HEAPU8.buffer, rgba, 4 * w * h);
    if (scratch.width < w || scratch.height < h) {
      scratch.width = Math.max(scratch.width, w);
      scratch.height = Math.max(scratch.height, h);
    }
    scratch.getContext('2d').putImageData(new ImageData(pixels, w, h), 0, 0);
    Page.context.drawImage(scratch, 0, 0, w, h, x, y, w, h);
  },

  browser_width__deps: ['$useFont'],
  browser_width: function(font, size, text, bytes) {
    useFont(font, size);
    return Page.context.measureText(UTF8ToString(text, bytes)).width;
  },

  browser_metrics__deps: ['$useFont'],
  browser_metrics: function(to, font, size) {
    useFont(font, size);
    const of = (text) => Page.context.measureText(text), line = of('H');
    HEAPF32.set([line.fontBoundingBoxAscent, line.fontBoundingBoxDescent, line.actualBoundingBoxAscent,
                 of('x').actualBoundingBoxAscent], to >> 2);
  },

  browser_title: function(title) { document.title = UTF8ToString(title); },

  browser_cursor: function(cursor) {
    Page.canvas.style.cursor = ['default', 'text', 'pointer', 'ew-resize', 'ns-resize', 'none'][cursor];
  },

  browser_take_text: function(isOn, x, y, w, h) { Page.takeText(isOn, x, y, w, h); },

  browser_copy: function(text, bytes) { Page.copy(UTF8ToString(text, bytes)); },

  browser_ask_paste: function() { Page.askPaste(); },

  browser_fullscreen: function() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  },

  browser_choose_file: function() { Page.chooser.click(); },

  // Next to the canvas is an invisible tree for screen readers, with a button for each control. The
  // canvas keeps the keyboard focus; aria-activedescendant names the focused control's button.
  browser_control: function(at, x, y, w, h, name, hasFocus) {
    const tree = Page.tree, density = Page.density, label = UTF8ToString(name);
    const button = tree.children[at] || tree.appendChild(document.createElement('button'));
    const style = `left:${x / density}px;top:${y / density}px;width:${w / density}px;height:${h / density}px`;
    if (!button.id) {
      button.id = 'control-' + at;
      button.tabIndex = -1;
      button.addEventListener('click', Page.press);
    }
    if (button.ariaLabel !== label) button.ariaLabel = label;
    if (button.place !== style) button.style.cssText = button.place = style;
    if (hasFocus) Page.active = button.id;
  },

  browser_controls_end: function(count) {
    while (Page.tree.children.length > count) Page.tree.lastChild.remove();
    Page.canvas.setAttribute('aria-activedescendant', Page.active || '');
    Page.active = '';
  },

  browser_address: function(state) { Page.putAddress(UTF8ToString(state)); },

  browser_keep: function(name, bytes, size) {
    const key = 'headlight/' + UTF8ToString(name);
    try {
      if (bytes) localStorage.setItem(key, UTF8ToString(bytes, size));
      else localStorage.removeItem(key);
      return true;
    } catch (refused) {
      return false;
    }
  },

  browser_download: function(name, bytes, size) {
    Page.download(UTF8ToString(name), new Blob([HEAPU8.slice(bytes, bytes + size)]));
  },

  browser_png: function(name, state) {
    const file = name && UTF8ToString(name), note = UTF8ToString(state);
    const png = new Promise((done) => Page.canvas.toBlob(async (blob) => done(await Page.withState(blob, note))));
    if (file) png.then((blob) => Page.download(file, blob));
    else navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]).catch((error) => console.warn(error.message));
  },

  // For lib/zip.h. A handle is an index in Page.handles. An archive saved in this page is not packed.
  zip_fdopen: function(fd) {
    const stream = FS.getStream(fd), node = stream.node;
    try {
      node.members = node.members || Page.members(node.contents.subarray(0, node.usedBytes));
    } catch (damaged) {
      return 0;
    }
    FS.close(stream);
    return Page.handles.push(node.members) - 1;
  },
  zip_name_locate: function(archive, name) {
    return Page.handles[archive].findIndex((member) => member.name === UTF8ToString(name));
  },
  browser_member: function(archive, at, out) {
    const { size, raw, method, isSecret } = Page.handles[archive][at];
    HEAPU32.set([1, at, size, raw.length, method, isSecret], out >> 2);
  },
  browser_open_member: function(archive, at) {
    const member = Page.handles[archive][at], bytes = member.bytes;
    if (member.isSound === undefined) member.isSound = bytes && Page.sum(bytes) === member.sum;
    return member.isSound ? Page.handles.push({ bytes, at: 0 }) - 1 : 0;
  },
  zip_fread: function(handle, out, size) {
    const file = Page.handles[handle], part = file.bytes.subarray(file.at, file.at + size);
    HEAPU8.set(part, out);
    file.at += part.length;
    return part.length;
  },
  browser_forget: function(handle) { delete Page.handles[handle]; },

  // For lib/utf8proc.c.
  browser_category: function(c) {
    const CATEGORIES = 'Cn Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co'.split(' ');
    const tests = Page.categories = Page.categories || CATEGORIES.map((name) => new RegExp(`^\\p{${name}}$`, 'u'));
    const known = Page.categoryOf = Page.categoryOf || new Map();
    let found = known.get(c);
    if (found === undefined) {
      const text = String.fromCodePoint(c);
      known.set(c, found = Math.max(0, tests.findIndex((test) => test.test(text))));
    }
    return found;
  },

  browser_is_ignorable: function(c) { return /^\p{Default_Ignorable_Code_Point}$/u.test(String.fromCodePoint(c)); },

  browser_small: function(c) {
    const small = String.fromCodePoint(c).toLowerCase();
    return [...small].length === 1 ? small.codePointAt(0) : c;
  },

  browser_breaks: function(before, after, continues) {
    const segmenter = Page.segmenter = Page.segmenter || new Intl.Segmenter('und', { granularity: 'grapheme' });
    const cluster = (continues ? Page.cluster : String.fromCodePoint(before)) + String.fromCodePoint(after);
    Page.cluster = cluster;
    let count = 0;
    for (const part of segmenter.segment(cluster)) count++;
    return count > 1;
  },

  // Normalise text to a form of Unicode such as "NFC". The form "" is NFKC_Casefold: lower case, with
  // ß as ss, without the characters that are ignorable by default.
  browser_fold: function(text, bytes, points, capacity, form) {
    let words;
    try {
      words = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(HEAPU8.subarray(text, text + bytes));
    } catch (malformed) {
      return -3;
    }
    const fold = (c) => {
      const small = c.toLowerCase(), capital = small.toUpperCase();
      if (small === 'ς') return 'σ';
      return capital.length > small.length ? [...capital].map((x) => x.toLowerCase()).join('') : small;
    };
    const ignored = /\p{Default_Ignorable_Code_Point}/gu;
    const named = UTF8ToString(form);
    const folded = named ? words.normalize(named)
      : [...words.normalize('NFKC')].map(fold).join('').normalize('NFKC').replace(ignored, '');
    const codes = [...folded].map((c) => c.codePointAt(0));
    HEAP32.set(codes.slice(0, capacity), points >> 2);
    return codes.length;
  },

  // For lib/jansson.c. Refuse values that are nested deeper than in any file of tensors.
  browser_parse: function(root, text, size, error, errorSize) {
    const TYPES = ['object', 'array', 'string', 'integer', 'number', 'true', 'false', 'null'];
    const refuse = (why) => { stringToUTF8(why, error, errorSize); return false; };
    const put = (parent, key, value, depth) => {
      const kind = Array.isArray(value) ? 'array' : value === null || typeof value === 'boolean' ? String(value)
        : Number.isSafeInteger(value) ? 'integer' : typeof value, isText = kind === 'string';
      const node = _json_append(parent, TYPES.indexOf(kind), key === null ? 0 : allocateUTF8(key),
                                isText ? allocateUTF8(value) : 0, isText ? lengthBytesUTF8(value) : 0,
                                typeof value === 'number' ? value : 0);
      if (!parent) HEAPU32[root >> 2] = node;
      if (!node || depth > 8) return false;
      if (kind === 'array') return value.every((item) => put(node, null, item, depth + 1));
      if (kind === 'object') return Object.entries(value).every(([name, item]) => put(node, name, item, depth + 1));
      return true;
    };
    try {
      const bytes = HEAPU8.subarray(text, text + size);
      const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      return put(0, null, value, 0) || refuse('too many levels');
    } catch (malformed) {
      return refuse(String(malformed.message));
    }
  },
});
