#!/usr/bin/env python3
"""The page in headless Chromium: typed at, pointed at and merged as by a person, and its numbers
against those of the program. Not part of `make test`: skipped, with status 77, where the page is not
built or Chromium is missing. usage: BUILD=build tests/web/test_web.py [NAME...]
With PICTURES=folder it leaves a picture of each step there."""
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zipfile

import chromium

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
PICTURES = os.environ.get("PICTURES")
STATES, TOLERANCE, LONGEST_MS = 50, 1e-5, 100

WORDS = ("the animal did n't cross street because it was too tired king queen dog cat walked two words "
         "Zürich naïve don't 3.14 नमक 東京 שלום مرحبا café 👍🏽 straße").split()
CHOICES = {
    "tokenizer": ["words", "chars", "gpt2"], "embedding": ["random", "onehot", "glove"],
    "positions": ["none", "sinusoidal", "learned", "rope"], "d-model": ["32", "64", "96"],
    "heads": ["1", "2", "4"], "d-k": ["auto", "8", "24"], "d-v": ["auto", "8", "20"], "scale": ["sqrt", "none"],
    "temperature": ["0.5", "1", "3"], "mask": ["none", "causal", "window:2", "random:3"],
    "form": ["separate", "merged", "rank:4", "free", "nested"],
    "init": ["xavier_uniform", "xavier_fused", "he_normal", "pytorch_linear", "orthogonal", "gpt2", "t5", "mimetic"],
    "seed": ["1", "7", "123456789"],
}


def state_of(**values):
    return "&".join(k + "=" + urllib.parse.quote(v) for k, v in values.items())


def random_state(chance):
    count = chance.randint(1, 12)
    values = {key: chance.choice(rows) for key, rows in CHOICES.items() if chance.random() < 0.6}
    return state_of(text=" ".join(chance.choice(WORDS) for _ in range(count)), **values)


def read_json(path):
    with open(path) as file:
        return json.load(file)["tensors"]


def export(state):
    """Return the tensors that the program has for a state; None, and why, if it refuses the state."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pass.json")
        run = subprocess.run([BUILD + "/headlight", "export", "--state", state, "-o", path],
                             capture_output=True, text=True)
        if run.returncode != 0:
            return None, run.stderr
        return read_json(path), ""


def flat(data):
    while data and isinstance(data[0], list):
        data = [x for row in data for x in row]
    return data


def difference(ours, theirs):
    """Return the largest difference of two sets of tensors, relative to a tensor's largest entry or 1."""
    assert ours.keys() == theirs.keys(), (ours.keys(), theirs.keys())
    worst = 0, "", 0
    for name in ours:
        a, b = flat(ours[name]["data"]), flat(theirs[name]["data"])
        assert ours[name]["shape"] == theirs[name]["shape"], (name, ours[name]["shape"], theirs[name]["shape"])
        scale = max([1] + [abs(x) for x in b if x is not None])
        for x, y in zip(a, b):
            assert (x is None) == (y is None), name
            if x is not None:
                worst = max(worst, (abs(x - y) / scale, name, scale))
    return worst


def tensors(page):
    return json.loads(page.run("UTF8ToString(_page_pass())"))["tensors"]


def go_to(page, state):
    page.run("""{ history.replaceState(null, '', '#' + Page.state); // as it will be in a moment
        const before = location.href;
        addEventListener('hashchange', () => { window.moved = true; }, { once: true });
        location.hash = %s;
        window.moved = location.href === before; }""" % json.dumps("#" + state))
    page.wait("window.moved", 60)
    page.settle()


def picture(page, name):
    if PICTURES:
        page.picture(os.path.join(PICTURES, name + ".png"))


def check_quiet(page):
    assert not page.faults(), page.faults()[:3]


def check_controls(page, where):
    """Every control has a name; a focus is one of them."""
    names = page.run("[...Page.tree.children].map((b) => b.ariaLabel + '@' + b.style.cssText)")
    unnamed = [name for name in names if name.startswith("@")]
    assert len(names) > 8 and not unnamed, (where, len(names), unnamed)
    page.key("Tab", "Tab")
    active = page.run("Page.canvas.getAttribute('aria-activedescendant')")
    assert page.run("document.getElementById(%s) !== null" % json.dumps(active)), (where, active)
    page.key("Escape", "Escape")


def new_page(url, width=1366, height=768, **more):
    page = chromium.Page(url, width, height, **more)
    page.settle()
    return page


def test_numbers(url):
    """The page and the program have the same numbers."""
    page, chance, worst, done = new_page(url), random.Random(1), (0, "", 0), 0
    page.wait("Page.hasWords", 30)
    while done < STATES:
        state = random_state(chance)
        theirs, why = export(state)
        if theirs is None:
            continue
        go_to(page, state)
        try:
            found = difference(tensors(page), theirs)
            assert found[0] <= TOLERANCE, found
        except AssertionError as wrong:
            raise AssertionError(state + ": " + str(wrong)) from wrong
        worst, done = max(worst, found), done + 1
    print("    largest difference of %d states: %.1e of %s" % (done, worst[0], worst[1]))
    check_quiet(page)
    page.close()


def test_sentence(url):
    """A sentence is typed, a cell pointed at, the layer merged; the address says all of it."""
    page = new_page(url)
    page.wait("Page.hasWords", 30)
    page.key("l", "KeyL", 2)
    page.wait("document.activeElement === Page.field")
    page.key("a", "KeyA", 2)
    page.type("the king loves the queen")
    page.key("Enter", "Enter")
    page.wait("Page.state.includes('text=the%20king%20loves%20the%20queen')")
    picture(page, "typed")
    assert tensors(page)["A"]["shape"] == [4, 5, 5]
    before = page.run("Page.drawn")
    page.mouse("mouseMoved", 230, 320)
    page.settle()
    assert page.run("Page.drawn") > before, "pointing at a cell draws nothing"
    picture(page, "pointed")
    page.click(230, 320)
    page.wait("Page.state.includes('pin=')")
    separate = tensors(page)["A"]
    page.key("Escape", "Escape")
    page.key("f", "KeyF")
    page.wait("Page.state.includes('form=merged')")
    picture(page, "merged")
    assert difference({"A": tensors(page)["A"]}, {"A": separate})[0] < 1e-5
    page.wait("location.hash.includes('form=merged')")
    found = difference(tensors(page), export(page.run("location.hash.slice(1)"))[0])
    assert found[0] <= TOLERANCE, found
    page.key("z", "KeyZ", 2)
    page.wait("!Page.state.includes('form=merged')")
    check_quiet(page)
    page.close()


def test_sizes(url):
    """Every view is drawn at every width, by keys alone, and its controls have names."""
    page = new_page(url)
    page.wait("Page.hasWords", 30)
    for width, height, density in ((320, 568, 2), (390, 844, 3), (768, 1024, 2), (1366, 768, 1), (3840, 2160, 1)):
        page.resize(width, height, density)
        page.settle()
        for view in "123456":
            page.key(view, "Digit" + view)
            check_controls(page, "%d, view %s" % (width, view))
            picture(page, "%d-%s" % (width, view))
    page.resize(1366, 768)
    check_quiet(page)
    page.close()


def test_touch(url):
    """A tap pins a cell; a sentence is typed by a keyboard on the screen; two fingers zoom."""
    page = new_page(url, 390, 844, density=3, touch=True)
    page.wait("Page.hasWords", 30)
    page.tap(110, 200)
    picture(page, "tapped")
    page.wait("Page.state.includes('pin=')")
    before = page.run("Page.drawn")
    for kind, apart in (("touchStart", 20), ("touchMove", 60), ("touchMove", 110)):
        page.call("Input.dispatchTouchEvent", type=kind,
                  touchPoints=[{"x": 110 - apart / 2, "y": 200, "id": 1}, {"x": 110 + apart / 2, "y": 200, "id": 2}])
        page.settle()
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.settle()
    picture(page, "pinched")
    assert page.run("Page.drawn") > before, "two fingers change nothing"
    page.tap(100, 28)
    page.wait("document.activeElement === Page.field")
    page.call("Input.imeSetComposition", text="ka", selectionStart=2, selectionEnd=2)
    page.settle()
    picture(page, "composing")
    page.call("Input.insertText", text="か")
    page.settle()
    page.wait("Page.state.includes('%E3%81%8B')")
    check_quiet(page)
    page.close()


def test_training(url):
    """A race of four starts runs between frames and is drawn as it runs."""
    page = new_page(url + "#view=train")
    page.wait("Page.hasWords", 30)
    before = page.run("Page.drawn")
    page.key(" ", "Space")
    page.wait("Page.state.includes('train-step=400')", 120)
    picture(page, "trained")
    assert page.run("Page.drawn") > before + 10, "the race was not drawn as it ran"
    check_quiet(page)
    page.close()


def test_long(url):
    """No piece of a long computation keeps the browser from drawing, and the numbers are the program's."""
    for state in ("view=wqk&d-model=1024", "view=wqk&d-model=256&form=merged", "view=heads&d-model=256&init=orthogonal"):
        state += "&heads=8&text=the%20king%20loves%20the%20queen"
        page = new_page(url)
        page.wait("Page.hasWords", 30)
        page.trace()
        go_to(page, state)
        longest = page.longest_task_ms()
        print("    longest task of %s: %.0f ms of processor time" % (state, longest))
        assert longest <= LONGEST_MS, (state, longest)
        if "1024" not in state:  # its tensors are 100 MB of text
            found = difference(tensors(page), export(state)[0])
            assert found[0] <= TOLERANCE, (state, found)
        check_quiet(page)
        page.close()


def test_trained(url):
    """The trained layers and models arrive after the first picture, and have the program's numbers."""
    for state in ("text=an%20owl%20sat%20in%20a%20tree&weights=trained:word-before",
                  "text=Then%20bread%20water%20sword%20bread&weights=trained:induction&layer=2"):
        page = new_page(url + "#" + state)
        page.wait("Page.hasAll", 30)
        page.settle()
        ours, theirs = tensors(page), export(state)[0]  # a model's have its hidden states, too
        found = difference(ours, {name: theirs[name] for name in ours})
        assert found[0] <= TOLERANCE, (state, found)
        check_quiet(page)
        page.close()


def test_use(url):
    """A trained layer is used, and downloaded; all tensors leave as a file that can be opened again."""
    page = new_page(url + "#view=train&train-steps=20&train-step=20")
    page.wait("Page.hasWords", 30)
    page.settle()
    page.run("window.names = []; Page.download = (name, blob) => window.names.push([name, blob.size]); true")
    page.click(1316, 211)
    picture(page, "use")
    page.key("Enter", "Enter")
    page.wait("Page.state.includes('weights=trained.safetensors')")
    before = tensors(page)
    page.key("k", "KeyK", 2)
    page.type("export all tensors")
    page.key("Enter", "Enter")
    page.key("Enter", "Enter")
    page.wait("window.names.length === 2")
    assert [name for name, _ in page.run("window.names")] == ["trained.safetensors", "layer.safetensors"]
    go_to(page, "weights=layer.safetensors")
    found = difference({"W_Q": tensors(page)["W_Q"]}, {"W_Q": before["W_Q"]})
    assert found[0] == 0, found
    check_quiet(page)
    page.close()


def pack(path, packed):
    """Copy an archive, compressed."""
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for name in archive.namelist():
            out.writestr(name, archive.read(name))


def save_as(page, folder, name):
    """Let the page save to the name that it asks for; return the path of the downloaded file."""
    page.key("a", "KeyA", 2)
    page.type(name)
    page.key("Enter", "Enter")
    page.wait("window.saved && window.saved.name === '%s'" % name)
    path = os.path.join(folder, "saved-" + name)
    with open(path, "wb") as file:
        file.write(bytes(page.run("[window.saved.bytes, window.saved = null][0]")))
    return path


KEEP_BYTES = """window.saved = null;
    Page.download = async (name, blob) => {
        window.saved = { name, bytes: [...new Uint8Array(await blob.arrayBuffer())] };
    }; true"""


def test_dropped(url):
    """Tensors and a session are dropped and chosen; what the page saves is opened by page and program."""
    state = "text=king%20queen%20dog&heads=2&d-model=32&seed=7"
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a.safetensors", "b.npz", "packed.npz")]
        for path in paths[:2]:
            subprocess.run([BUILD + "/headlight", "export", "--state", state, "-o", path], check=True)
        pack(*paths[1:])
        page = new_page(url)
        page.run(KEEP_BYTES)
        for path in paths:
            for give in (page.drop, lambda path: page.choose("#chooser", path)):
                go_to(page, "heads=4")
                give(path)
                page.wait("decodeURIComponent(Page.state).includes('%s')" % os.path.basename(path))
                page.settle()
                found = difference(tensors(page), export("weights=" + path)[0])
                assert found[0] <= TOLERANCE, (path, found)
        os.truncate(paths[2], os.path.getsize(paths[2]) - 200)
        go_to(page, "heads=4")
        page.drop(paths[2])
        assert "weights" not in page.run("Page.state"), "a damaged archive was opened"
        go_to(page, state)
        ours = tensors(page)
        for name in ("own.npz", "own.safetensors", "own.json"):
            page.key("k", "KeyK", 2)
            page.type("export all tensors")
            page.key("Enter", "Enter")
            at = save_as(page, folder, name)
            theirs = read_json(at) if name.endswith("json") else export("weights=" + at)[0]
            found = difference({"Q": ours["Q"]}, {"Q": theirs["Q"]})
            assert found[0] <= TOLERANCE, (name, found)
        page.key("s", "KeyS", 2)
        session = save_as(page, folder, "own.headlight")
        before = page.run("Page.state")
        go_to(page, "heads=4")
        page.drop(session)
        page.wait("Page.state === %s" % json.dumps(before))
        check_quiet(page)
        page.close()


# What the page saves or copies is kept in window.saved, beside the canvas a moment later.
SAVES = """
    window.saved = null;
    window.keep = async (name, blob) => {
        await new Promise((done) => setTimeout(done, 500));
        const canvas = Page.canvas, size = [canvas.width, canvas.height], bytes = new Uint8Array(await blob.arrayBuffer());
        const own = new OffscreenCanvas(...size).getContext('2d', { willReadFrequently: true });
        const pixels = (image) => { own.drawImage(image, 0, 0, ...size); return own.getImageData(0, 0, ...size).data; };
        const here = pixels(canvas), image = new Image();
        let apart = 0;
        if (/(svg|png)$/.test(name)) {
            image.src = URL.createObjectURL(new Blob([blob], name.endsWith('svg') ? { type: 'image/svg+xml' } : {}));
            await image.decode();
            const there = pixels(image);
            for (let i = 0; i < here.length; i++) apart += Math.abs(here[i] - there[i]) > 64;
        }
        window.saved = { name, apart: apart / here.length, text: new TextDecoder().decode(bytes) };
    };
    Page.download = window.keep;
    Page.copy = (text) => window.keep('copied', new Blob([text]));
    true"""


def saved(page):
    page.wait("window.saved !== null")
    return page.run("[window.saved, window.saved = null][0]")


def test_pictures(url):
    """A picture is saved as it stands, with its state; the SVG's pixels are the canvas's."""
    page = new_page(url)
    page.wait("Page.hasWords", 30)
    page.run(SAVES)
    worst = 0
    for state in ("view=heads", "view=graph", "view=wqk", "view=compare", "view=steps", "view=train", "theme=light"):
        for kind in ("svg", "png"):
            go_to(page, state)
            page.key("k", "KeyK", 2)
            page.type("save the picture " + kind)
            page.key("Enter", "Enter")
            page.key("Enter", "Enter")
            got = saved(page)
            assert got["name"].endswith("." + kind) and got["apart"] < 0.01, (state, got["name"], got["apart"])
            assert kind == "svg" or "headlight-state" in got["text"], state
            worst = max(worst, got["apart"])
    print("    largest share of pixels that differ from the canvas, which says “Saved” by then: %.2f %%" % (100 * worst))
    check_quiet(page)
    page.close()


def test_parts(url):
    """The right button copies a part of the picture, and its numbers are those that are drawn."""
    page = new_page(url + "#text=king%20queen%20dog")
    page.wait("Page.hasWords", 30)
    page.run(SAVES)
    for entry, begin in (("copy svg", "<?xml"), ("copy numbers", ',"king","queen","dog"')):
        page.mouse("mouseMoved", 300, 350)
        for kind in ("mousePressed", "mouseReleased"):
            page.mouse(kind, 300, 350, button="right", clickCount=1)
        page.settle()
        page.type(entry)
        page.key("Enter", "Enter")
        text = saved(page)["text"]
        assert text.startswith(begin), text[:80]
    rows = [[float(x) for x in line.split(",")[1:]] for line in text.splitlines()[1:]]
    found = difference({"A": {"shape": [9], "data": rows}}, {"A": {"shape": [9], "data": tensors(page)["A"]["data"][0]}})
    assert found[0] < TOLERANCE, found
    check_quiet(page)
    page.close()


def test_tour(url):
    """A tour is played to its end; each step shows the numbers that the program has for its state."""
    page = new_page(url)
    page.wait("Page.hasWords", 30)
    page.key("k", "KeyK", 2)
    page.type("tour the merge")
    page.key("Enter", "Enter")
    seen = []
    for step in range(1, 7):
        seen.append(page.run("Page.state"))
        found = difference(tensors(page), export(seen[-1])[0])
        assert found[0] <= TOLERANCE, (seen[-1], found)
        picture(page, "tour-%d" % step)
        page.key("PageDown", "PageDown")
    assert "form=merged" in seen[3] and "wqk-page=cost" in seen[5], seen
    check_quiet(page)
    page.close()


def test_kept(url):
    """What was not saved is there at the next visit; a link opens what it says."""
    page = new_page(url)
    page.key("f", "KeyF")
    page.wait("Page.state.includes('form=merged')")
    page.wait("localStorage.getItem('headlight/autosave') !== null", 10)
    page.open(url + "?again")
    page.wait("Page.state.includes('form=merged')")
    page.open(url + "?link#heads=2")
    page.wait("Page.state === 'heads=2'")
    page.close()


def test_files(url):
    """The page works as a file, and as one file alone."""
    for name in ("index.html", "headlight-page.html"):
        page = new_page("file://" + BUILD + "/web/" + name + "#text=king%20queen&heads=2")
        found = difference(tensors(page), export("text=king%20queen&heads=2")[0])
        assert found[0] <= TOLERANCE, found
        page.close()


def test_embed(url):
    """One part alone, live."""
    page = new_page(url + "?embed=heads.matrix.1#text=king%20queen%20dog", 480, 480)
    picture(page, "embedded")
    before = page.run("Page.drawn")
    page.mouse("mouseMoved", 250, 300)
    page.settle()
    picture(page, "embedded-pointed")
    assert page.run("Page.drawn") > before
    page.close()


def main():
    if not chromium.find() or not os.path.exists(BUILD + "/web/index.html"):
        print("test_web: skipped: needs Chromium, and `make web` before")
        return 77
    url, failed = chromium.serve(BUILD), 0
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (sys.argv[1:] and not any(word in name for word in sys.argv[1:])):
            continue
        begun = time.time()
        try:
            test(url)
            print("ok - %s (%.1f s)" % (test.__doc__, time.time() - begun))
        except (AssertionError, RuntimeError) as wrong:
            failed += 1
            print("not ok - %s: %s" % (test.__doc__, str(wrong)[:1500]))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
