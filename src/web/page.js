// page.js: the page around the canvas. It passes the page's events to page.c; browser.js has the
// functions that page.c calls.
// Least width in CSS px: that of app/layout.h at its least scale. A narrower page is drawn smaller.
const LEAST_WIDTH = 336;
const UNPACKED_MAX = 1 << 28; // most bytes of an archive when unpacked

var Page = {
  canvas: document.getElementById('canvas'),
  field: document.getElementById('field'),
  chooser: document.getElementById('chooser'),
  tree: document.getElementById('tree'),
  scratch: document.createElement('canvas'),
  font: '',
  isClipped: false,
  drawn: 0, // pictures so far
  handles: [null], // archives and their members that the program has open

  isRightToLeft: (words) => {
    const strong = words.match(/\p{L}/u);
    return strong !== null && /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]|[\u{10800}-\u{10FFF}]|[\u{1E800}-\u{1EFFF}]/u.test(strong[0]);
  },

  // Draw a frame when the browser is ready, and the next one at the time that the program requests.
  soon() {
    if (Page.isDue) return;
    Page.isDue = true;
    requestAnimationFrame(() => {
      Page.isDue = false;
      clearTimeout(Page.timer);
      const wait = _page_frame() - performance.now();
      if (!Page.isDrawn) performance.mark('picture');
      Page.isDrawn = true;
      for (let slice = 0; slice < 2; slice++) setTimeout(_pool_work); // after the events that wait
      if (wait < 20) Page.soon();
      else if (wait < 1e9) Page.timer = setTimeout(Page.soon, wait);
    });
  },

  resize() {
    const density = devicePixelRatio || 1, view = window.visualViewport;
    const width = Math.round(innerWidth * density);
    const height = Math.round((Page.isTyping && view ? view.height : innerHeight) * density);
    Page.density = density;
    Page.canvas.style.width = width / density + 'px';
    Page.canvas.style.height = height / density + 'px';
    _page_size(width, height, Math.min(density, width / LEAST_WIDTH));
    Page.soon();
  },

  // While a text field of the program has the focus, give the keyboard to the page's hidden field.
  // The field contains a blank, so that an on-screen keyboard has something to delete.
  takeText(isOn, x, y, w, h) {
    const field = Page.field;
    if (isOn) {
      Object.assign(field.style, { left: x / Page.density + 'px', top: y / Page.density + 'px', height: h / Page.density + 'px' });
      if (document.activeElement !== field && document.hasFocus()) {
        field.value = ' ';
        field.focus({ preventScroll: true });
      }
    } else if (document.activeElement === field) {
      Page.canvas.focus({ preventScroll: true });
    }
    Page.isTyping = isOn;
  },

  text(kind, words, clause = 0) {
    const at = allocateUTF8(words);
    _page_text(kind, at, clause);
    _free(at);
    Page.soon();
  },

  copy(words) {
    const byHand = () => {
      const box = document.body.appendChild(document.createElement('textarea'));
      box.value = words;
      box.select();
      document.execCommand('copy');
      box.remove();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(words).catch(byHand);
    else byHand();
  },

  // Wait for the browser's paste event, which follows a key. Without one, read the clipboard.
  askPaste() {
    Page.wantsPaste = true;
    setTimeout(() => {
      if (!Page.wantsPaste) return;
      Page.wantsPaste = false;
      if (navigator.clipboard && navigator.clipboard.readText)
        navigator.clipboard.readText().then((words) => Page.text(INPUT.PASTE, words), () => {});
    }, 50);
  },

  // If a screen reader presses a button of the tree, click in the middle of its control.
  press(event) {
    const place = event.target.getBoundingClientRect(), density = Page.density;
    _page_pointer((place.left + place.width / 2) * density, (place.top + place.height / 2) * density, true);
    _page_button(true, 0, 1, 0);
    _page_button(false, 0, 1, 0);
    Page.soon();
  },

  putAddress(state) {
    Page.state = state;
    clearTimeout(Page.addressTimer);
    if (Page.part) return;
    Page.addressTimer = setTimeout(() => history.replaceState(null, '', '#' + state), 300);
  },

  download(path, blob) {
    const link = document.createElement('a');
    link.download = path.split('/').pop();
    link.href = URL.createObjectURL(blob);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  },

  // Return the CRC-32 that PNG and zip use.
  sum(bytes) {
    let crc = -1;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc >>> 0;
  },

  // Return the members of a zip archive (not zip64). A packed member has no bytes yet.
  members(archive) {
    const view = new DataView(archive.buffer, archive.byteOffset, archive.length), members = [];
    const u16 = (at) => view.getUint16(at, true), u32 = (at) => view.getUint32(at, true);
    const expect = (sound) => { if (!sound) throw new RangeError('damaged archive'); };
    let end = archive.length - 22;
    while (u32(end) !== 0x06054B50) end--;
    for (let at = u32(end + 16), left = u16(end + 10); left > 0; left--) {
      const [method, sum, packed, size, length] = [u16(at + 10), u32(at + 16), u32(at + 20), u32(at + 24), u16(at + 28)];
      const local = u32(at + 42), from = local + 30 + u16(local + 26) + u16(local + 28);
      const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + length));
      const raw = archive.subarray(from, from + packed);
      expect(u32(at) === 0x02014B50 && u32(local) === 0x04034B50 && raw.length === packed);
      members.push({ name, method, sum, size, raw, isSecret: u16(at + 8) & 1, bytes: method === 0 && raw });
      at += 46 + length + u16(at + 30) + u16(at + 32);
    }
    return members;
  },

  // Unpack a member of an archive. The size that the archive states may be wrong.
  async unpack(member) {
    const packed = new Blob([member.raw]).stream(), bytes = new Uint8Array(member.size);
    const reader = packed.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    let used = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes.set(part.value, used); // fails for more than the size
      used += part.value.length;
    }
    if (used === member.size) member.bytes = bytes;
  },

  // Unpack all members now, because the browser unpacks asynchronously and the program cannot wait.
  async unpackAll(archive) {
    let members;
    try {
      members = Page.members(archive);
      const packed = members.filter((member) => member.method === 8);
      if (packed.reduce((sum, member) => sum + member.size, 0) > UNPACKED_MAX) return members;
      for (const member of packed) await Page.unpack(member);
    } catch (damaged) { /* a message follows when the program opens it */ }
    return members;
  },

  // Return the PNG with the state string as international text (iTXt) after its header.
  async withState(blob, state) {
    const bytes = new Uint8Array(await blob.arrayBuffer()), HEADER = 33;
    const words = new TextEncoder().encode('iTXtheadlight-state\0\0\0\0\0' + state);
    const chunk = new Uint8Array(words.length + 8), view = new DataView(chunk.buffer);
    view.setUint32(0, words.length - 4);
    chunk.set(words, 4);
    view.setUint32(words.length + 4, Page.sum(words));
    return new Blob([bytes.subarray(0, HEADER), chunk, bytes.subarray(HEADER)], { type: 'image/png' });
  },

  async open(files) {
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const members = file.name.endsWith('.npz') ? await Page.unpackAll(bytes) : undefined;
      FS.writeFile(file.name, bytes);
      FS.lookupPath(file.name).node.members = members;
      Page.text(INPUT.DROP_FILE, file.name);
    }
  },

  async fetchFile(from, to) {
    const answer = await fetch(from);
    if (!answer.ok) throw new Error(from);
    FS.writeFile(to, new Uint8Array(await answer.arrayBuffer()));
  },

  // Fetch all word vectors and the trained layers, unless the page is a single file.
  async fetchRest() {
    try {
      await Page.fetchFile('glove.safetensors', '/assets/all.safetensors');
      Page.takeWords();
      const names = (await (await fetch('trained/list')).text()).trim().split('\n');
      for (const name of ['', ...names.filter((name) => name.includes('/')).map((name) => name.split('/')[0])])
        if (!FS.analyzePath('/assets/trained/' + name).exists) FS.mkdir('/assets/trained/' + name);
      for (const name of names) await Page.fetchFile('trained/' + name, '/assets/trained/' + name);
    } catch (none) { /* the page works without these files */ }
    Page.hasAll = true;
    if (Page.later) Page.openAddress(Page.later);
  },

  openAddress(address) {
    const state = allocateUTF8(new URL(address).hash.slice(1));
    _page_open_state(state);
    _free(state);
    Page.soon();
  },

  takeWords() {
    const path = allocateUTF8('/assets/all.safetensors');
    _page_take_words(path);
    _free(path);
    FS.unlink('/assets/all.safetensors');
    Page.hasWords = true;
    Page.soon();
  },
};

// Values of InputKind in ui/input.h.
const INPUT = { TEXT: 1, COMPOSE: 2, PASTE: 3, DROP_FILE: 4 };
const SHIFT = 1, COMMAND = 2, ALT = 4;

// The keys from KEY_ESCAPE on, in the order of Key in ui/input.h.
const KEYS = ['Escape', 'Enter', 'Tab', 'Backspace', 'Delete', 'Insert', 'ArrowLeft', 'ArrowRight', 'ArrowUp',
              'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8',
              'F9', 'F10', 'F11', 'F12'];

function keyOf(event) {
  const named = KEYS.indexOf(event.key), digit = event.code.match(/^(Digit|Numpad)(\d)$/);
  if (named >= 0) return 0x110000 + named;
  if (digit) return digit[2].charCodeAt(0);
  return [...event.key].length === 1 ? event.key.toLowerCase().codePointAt(0) : 0;
}

function modsOf(event) {
  const isMac = navigator.platform.startsWith('Mac'), isThird = event.getModifierState && event.getModifierState('AltGraph');
  const isCommand = isMac ? event.metaKey : event.ctrlKey && !isThird;
  return (event.shiftKey ? SHIFT : 0) | (isCommand ? COMMAND : 0) | (event.altKey && !isThird ? ALT : 0);
}

// True for shortcuts that the browser handles itself.
function isBrowsers(event, mods) {
  const own = ['F5', 'F12', 'F6'];
  return own.includes(event.key) || ((mods & COMMAND) && 'rtwnp'.includes(event.key.toLowerCase())) || (mods & ALT);
}

function onKey(event) {
  if (event.isComposing || event.keyCode === 229) return;
  const key = keyOf(event), mods = modsOf(event);
  if (!key || isBrowsers(event, mods)) return;
  const isPaste = (mods & COMMAND) && key === 'v'.charCodeAt(0);
  const types = Page.isTyping && key < 0x110000 && !(mods & COMMAND);
  _page_mods(mods);
  _page_key(key, mods);
  if (!types && !isPaste) event.preventDefault();
  Page.soon();
}

function listenToField() {
  const field = Page.field, clear = () => { field.value = ' '; };
  field.addEventListener('beforeinput', (event) => {
    if (event.inputType !== 'deleteContentBackward' || event.isComposing) return;
    _page_key(0x110000 + KEYS.indexOf('Backspace'), 0); // from an on-screen keyboard, which sends no key event
    event.preventDefault();
    Page.soon();
  });
  field.addEventListener('input', (event) => {
    if (event.isComposing) return;
    if (event.data && event.inputType !== 'insertFromPaste') Page.text(INPUT.TEXT, event.data);
    clear();
  });
  field.addEventListener('compositionupdate', (event) => Page.text(INPUT.COMPOSE, event.data, [...event.data].length));
  field.addEventListener('compositionend', (event) => {
    Page.text(INPUT.COMPOSE, '');
    if (event.data) Page.text(INPUT.TEXT, event.data);
    clear();
  });
}

function movePointer(event, isInside) {
  const at = Page.canvas.getBoundingClientRect();
  _page_mods(modsOf(event));
  _page_pointer((event.clientX - at.left) * Page.density, (event.clientY - at.top) * Page.density, isInside);
  Page.soon();
}

// Two fingers scroll, and zoom by their distance. The press of the first finger is then cancelled by
// a release outside the canvas.
function listenToPointer() {
  const canvas = Page.canvas, fingers = new Map();
  let clicks = 0, last = { time: 0, x: 0, y: 0 }, spread = 0;
  const middle = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
  };
  const press = (event, isDown) => _page_button(isDown, Math.max(0, event.button), clicks, modsOf(event));
  canvas.addEventListener('pointerdown', (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) {
      _page_pointer(-1, -1, false);
      press(event, false);
      spread = middle().apart;
    }
    if (fingers.size > 1) return;
    const isNear = Math.hypot(event.clientX - last.x, event.clientY - last.y) < 6;
    clicks = isNear && event.timeStamp - last.time < 400 ? (clicks % 3) + 1 : 1;
    last = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    canvas.setPointerCapture(event.pointerId);
    movePointer(event, true);
    press(event, true);
    event.preventDefault();
  });
  canvas.addEventListener('pointermove', (event) => {
    const finger = fingers.get(event.pointerId);
    if (fingers.size < 2) return movePointer(event, true);
    const before = middle();
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    const now = middle(), density = Page.density, zoom = Math.log(now.apart / spread) * 6;
    _page_pointer(now.x * density, now.y * density, true);
    if (Math.abs(zoom) > 0.3) spread = now.apart;
    if (Math.abs(zoom) > 0.3) _page_wheel(0, zoom, 0);
    else _page_wheel((now.x - before.x) / 40, (now.y - before.y) / 40, 0);
    Page.soon();
  });
  const lift = (event) => {
    const isLast = fingers.delete(event.pointerId) && fingers.size === 0 && spread === 0;
    if (fingers.size === 0) spread = 0;
    if (!isLast) return;
    movePointer(event, true);
    press(event, false);
    if (event.pointerType === 'touch') movePointer(event, false);
  };
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  canvas.addEventListener('pointerleave', (event) => event.buttons || movePointer(event, false));
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    const notch = [100, 3, 1][event.deltaMode];
    movePointer(event, true);
    _page_wheel(event.deltaX / notch, -event.deltaY / notch, modsOf(event));
    event.preventDefault();
  }, { passive: false });
}

function listenToPage() {
  addEventListener('keydown', onKey);
  addEventListener('keyup', (event) => _page_mods(modsOf(event)));
  addEventListener('paste', (event) => {
    const words = event.clipboardData.getData('text/plain');
    event.preventDefault();
    if (!Page.wantsPaste) return;
    Page.wantsPaste = false;
    Page.text(INPUT.PASTE, words);
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    Page.open(event.dataTransfer.files);
  });
  Page.chooser.addEventListener('change', () => {
    Page.open(Page.chooser.files);
    Page.chooser.value = '';
  });
  addEventListener('resize', Page.resize);
  if (window.visualViewport) visualViewport.addEventListener('resize', Page.resize);
  // Use the event's address, because the page's address may have changed since.
  addEventListener('hashchange', (event) => {
    clearTimeout(Page.addressTimer);
    Page.openAddress(event.newURL);
  });
  addEventListener('pagehide', () => _page_keep());
}

Page.context = Page.canvas.getContext('2d', { alpha: false });

Object.assign(Module, {
  preRun: [...Module.preRun || [], () => {
    FS.mkdir('/kept');
    FS.mkdir('/files');
    FS.chdir('/files');
    try {
      for (const key of Object.keys(localStorage))
        if (key.startsWith('headlight/')) FS.writeFile('/kept/' + key.slice(10), localStorage.getItem(key));
    } catch (refused) { /* a browser may keep nothing */ }
  }],
  onRuntimeInitialized() {
    const asked = new URLSearchParams(location.search);
    Page.part = asked.get('embed') || '';
    Page.later = location.hash.includes('weights=trained') ? location.href : ''; // opened by fetchRest
    const state = allocateUTF8(Page.later ? '' : location.hash.slice(1)), part = allocateUTF8(Page.part);
    if (!_page_begin(state, part)) {
      document.body.textContent = 'There is too little memory to start.';
      return;
    }
    listenToPage();
    listenToPointer();
    listenToField();
    Page.resize();
    requestAnimationFrame(() => setTimeout(Page.fetchRest));
  },
});
