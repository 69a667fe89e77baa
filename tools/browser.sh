#!/bin/sh
# Makes sure that the tests have a Chromium, and that it can show the scripts that the pages are tested with.
# Debian's own packages where apt-get can be used; elsewhere Playwright's own download. Says nothing when all is there.
# PAIRLOOM_CHROMIUM=/path/to/chromium names another one (a Chrome will do); tests/support/browser.py looks there too.
set -eu
cd "$(dirname "$0")/.."

# Without these, screenshots show boxes instead of Chinese, emoji, Arabic or Devanagari.
fonts="fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"

has_browser() {
    [ -n "${PAIRLOOM_CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
        command -v google-chrome >/dev/null
}

as_root=""
if command -v apt-get >/dev/null; then
    if [ "$(id -u)" = 0 ]; then
        as_root="env"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root="sudo -n env"
    fi
fi

missing=""
has_browser || missing="chromium"
if command -v dpkg-query >/dev/null; then
    for package in $fonts; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
fi
[ -n "$missing" ] || exit 0

# On Ubuntu the package chromium only points to a snap, which cannot be relied on without a desktop.
if [ -n "$as_root" ] && ! grep -q '^ID=ubuntu' /etc/os-release; then
    echo "Installing for the tests in the browser: $missing …"
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq update
    # shellcheck disable=SC2086  # words on purpose
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
    exit 0
fi

if has_browser; then
    echo "Note: without $missing, screenshots may show boxes instead of some scripts." >&2
    exit 0
fi

download="the browser that .venv/bin/playwright downloads"
if .venv/bin/python - <<'PYTHON'
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not pathlib.Path(playwright.chromium.executable_path).exists())
PYTHON
then
    exit 0
fi
echo "Installing $download …"
if ! .venv/bin/playwright install chromium; then
    echo "The tests need Chromium and there is none, nor could $download be had." >&2
    echo "Install Debian's chromium (apt-get install chromium) or name one: PAIRLOOM_CHROMIUM=/path/to/chromium." >&2
    exit 1
fi
