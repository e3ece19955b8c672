#!/usr/bin/env bash
# The window on a display of its own (Xvfb): keys that come before a frame could, and a display that
# goes away. Skipped without Xvfb or xdotool.
set -u
LC_ALL=C.UTF-8
export LC_ALL
program=$(cd "${BUILD:-build}" && pwd)/headlight
echo 1..5
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || {
        for at in 1 2 3 4 5; do echo "ok $at # SKIP no $tool"; done
        exit 0
    }
done
tree=$(mktemp -d)
server='' window='' unkept=''
trap 'kill -9 $server $window $unkept 2>/dev/null; rm -rf "$tree"' EXIT
mkfifo "$tree/number"
Xvfb -displayfd 3 -screen 0 1000x700x24 -nolisten tcp 3>"$tree/number" 2>/dev/null &
server=$!
read -r number <"$tree/number"
export DISPLAY=:$number HOME=$tree XDG_CONFIG_HOME=$tree/config XDG_STATE_HOME=$tree/state
unset WAYLAND_DISPLAY SDL_VIDEODRIVER

"$program" >"$tree/out" 2>"$tree/err" &
window=$!
id=
for _ in $(seq 200); do
    id=$(xdotool search --name Headlight 2>/dev/null | head -1)
    [ -n "$id" ] && break
    sleep 0.1
done
sleep 1
kill -STOP $window # all keys wait for one frame
xdotool windowfocus "$id" key --delay 0 ctrl+l ctrl+a z q x j k >/dev/null
kill -CONT $window

kept() { # within a few seconds
    for _ in $(seq 60); do
        grep -rqs "^text *= *$1\$" "$tree/state" && return 0
        sleep 0.1
    done
    return 1
}

not=
kept zqxjk || not='not '
echo "${not}ok 1 - keys after Ctrl+L are text, though no frame came between"

# A window that drags a file over ours and is gone before ours can answer.
cat >"$tree/vanish.c" <<'X'
#include <X11/Xlib.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    Display *display = XOpenDisplay(NULL);
    Window to = (Window)strtoul(argv[argc - 1], NULL, 10);
    Window from = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 9, 9, 0, 0, 0);
    XClientMessageEvent event = {.type = ClientMessage, .window = to, .format = 32};
    XDestroyWindow(display, from);
    event.data.l[0] = (long)from;
    event.message_type = XInternAtom(display, "XdndEnter", False);
    event.data.l[1] = 5L << 24;
    event.data.l[2] = (long)XInternAtom(display, "text/uri-list", False);
    XSendEvent(display, to, False, NoEventMask, (XEvent *)&event);
    event.message_type = XInternAtom(display, "XdndPosition", False);
    event.data.l[1] = 0;
    event.data.l[2] = 100L << 16 | 100;
    XSendEvent(display, to, False, NoEventMask, (XEvent *)&event);
    XSync(display, False);
    return 0;
}
X
if cc "$tree/vanish.c" -o "$tree/vanish" -lX11 2>/dev/null; then
    "$tree/vanish" "$id"
    sleep 0.5
    not=
    kill -0 $window 2>/dev/null || not='not '
    echo "${not}ok 2 - a drag source that vanishes in mid-drop does no harm"
else
    echo "ok 2 # SKIP no headers of X11"
fi

# A window whose autosave cannot be written, because its folder is a file. $1: a name.
unkept() {
    echo none >"$tree/blocked"
    XDG_STATE_HOME=$tree/blocked "$program" 2>"$tree/err$1" >/dev/null &
    unkept=$!
    for _ in $(seq 200); do
        id=$(xdotool search --all --pid $unkept --name . 2>/dev/null | head -1)
        [ -n "$id" ] && break
        sleep 0.1
    done
    sleep 1
    xdotool windowfocus "$id" key m >/dev/null
    sleep 0.5
}

unkept term
kill $unkept
wait $unkept
status=$?
not=
[ $status -eq 1 ] && [ "$(wc -l <"$tree/errterm")" -eq 1 ] &&
    grep -q '^headlight: window: unsaved work is lost' "$tree/errterm" || not='not '
echo "${not}ok 4 - a signal that loses unsaved work ends the window with one line"
[ -z "$not" ] || sed 's/^/# /' "$tree/errterm"

unkept gone
disown $server
kill -9 $server
wait $unkept 2>/dev/null
not=
grep -q 'the display is gone, and unsaved work is lost' "$tree/errgone" || not='not '
echo "${not}ok 5 - a display that goes away is not said to leave a session that it loses"
[ -z "$not" ] || sed 's/^/# /' "$tree/errgone"

wait $window 2>/dev/null
status=$?
not=
[ $status -eq 1 ] && [ "$(wc -l <"$tree/err")" -eq 1 ] &&
    grep -q '^headlight: window: the display is gone' "$tree/err" && kept zqxjk || not='not '
echo "${not}ok 3 - a display that goes away ends the window with one line, and the session is kept"
[ -z "$not" ] || sed 's/^/# /' "$tree/err"
