"""A page in headless Chromium, driven over its debugging pipe. Python's standard library alone."""
import base64
import functools
import http.server
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time


def serve(folder):
    """Serve a build folder, so that the page lies in a sub-folder; return the page's address."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d/web/index.html" % server.server_address[1]


def find():
    """Return the path of Chromium, or None."""
    return next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)


class Page:
    def __init__(self, url, width, height, density=1, touch=False, page_number=0):
        self.folder = tempfile.mkdtemp(prefix="headlight-web-")
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def hand_over():  # Chromium reads commands from 3 and answers on 4
            os.dup2(to_read, 13), os.dup2(from_write, 14)
            os.dup2(13, 3), os.dup2(14, 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.to, self.answers, self.number, self.events, self.buffer = to_write, from_read, 0, [], b""
        self.session = None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.resize(width, height, density)
        if touch:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.open(url)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                got = os.read(self.answers, 1 << 20)
                if not got:
                    raise RuntimeError("Chromium ended")
                self.buffer += got
            text, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.events.append(answer)

    def resize(self, width, height, density=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density,
                  mobile=False)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait("typeof Page !== 'undefined' && Page.isDrawn", 120)

    def run(self, script):
        """Return the value of a script in the page."""
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(script + ": " + json.dumps(got["exceptionDetails"])[:2000])
        return got["result"].get("value")

    def wait(self, condition, seconds=20):
        end = time.time() + seconds
        while not self.run(condition):
            if time.time() > end:
                raise RuntimeError("never became true: " + condition)
            time.sleep(0.05)

    def settle(self):
        """Until no frame is due."""
        time.sleep(0.1)
        self.wait("!Page.isDue", 60)

    def type(self, text):
        for letter in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)
        self.settle()

    def key(self, key, code="", modifiers=0):
        """modifiers: 1 Alt, 2 Ctrl, 8 Shift."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, modifiers=modifiers)
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.settle()

    def drop(self, path, x=300, y=300):
        """Drop a file on the page."""
        data = {"items": [], "files": [path], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
        self.settle()

    def choose(self, selector, path):
        """Choose a file in a file input."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[path], nodeId=node)
        self.settle()

    def tap(self, x, y):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def trace(self):
        """Begin to record the tasks of the browser."""
        self.call("Tracing.start", categories="toplevel", transferMode="ReportEvents")

    def longest_task_ms(self):
        """Return the processor time of the longest task of the page since trace, in ms."""
        self.call("Tracing.end")
        end = time.time() + 60
        while not any(e["method"] == "Tracing.tracingComplete" for e in self.events):
            self.run("1")
            if time.time() > end:
                raise RuntimeError("the trace never ended")
            time.sleep(0.05)
        parts = [part for e in self.events if e["method"] == "Tracing.dataCollected" for part in e["params"]["value"]]
        self.events = [e for e in self.events if not e["method"].startswith("Tracing.")]
        threads = {(p["pid"], p["tid"]) for p in parts
                   if p["name"] == "thread_name" and p["args"]["name"] == "CrRendererMain"}
        return max(p.get("tdur", 0) for p in parts if (p["pid"], p["tid"]) in threads) / 1e3

    def faults(self):
        """What the page's console has said, and exceptions."""
        return [e for e in self.events
                if e["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")
                or e["method"] == "Runtime.consoleAPICalled"]

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
