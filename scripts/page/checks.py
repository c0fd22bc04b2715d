"""What the page must do. Each check gets a fresh service and a page that is open on it."""

import random
import threading
import time

from selenium.webdriver.common.keys import Keys

FERRY = "The ferry to the island leaves at nine in the morning, and again at noon, from the old pier behind the fish market."
LATER = FERRY.replace("nine", "ten").replace("old pier", "new jetty")

BAD = "<script>window.ran='script'</script><img src=x onerror=\"window.ran='img'\"><svg onload=\"window.ran='svg'\"></script>"
BAD_NAME = BAD + "\u202e\u2066%2F..?#&'\"`${window.ran=1}{{7*7}}"
BAD_TEXT = BAD + "<a href=\"javascript:window.ran='link'\">x</a>]]><!--\u202e gnihton <style>*{display:none}</style> " + "w" * 100_000


def story(number):
    """A text that resembles no other."""
    chance = random.Random(number)
    return " ".join("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(40))


def the_first_document(page, service):
    """An empty page tells how to post the first document, and shows it when it came."""
    page.wait("the empty page is shown", lambda: "/v1/documents" in page.text("curl") and page.run("return !document.getElementById('empty').hidden"))
    assert page.nameless() == [] and page.worst_contrasts()[0][0] >= 4.5, page.worst_contrasts()
    service.post({"id": "a", "text": FERRY})
    page.wait("the board is shown", lambda: page.run("return !document.getElementById('board').hidden") and page.number("f-came") == 1)


def a_feed_is_followed(page, service):
    """A feed runs, and the counts on the page change by themselves; a duplicate appears."""
    counts = set()
    stop = threading.Event()

    def feed():
        number = 0
        while not stop.wait(0.05):
            number += 1
            service.post({"id": f"n{number}", "source": "Harbour News", "text": f"{FERRY if number % 3 else LATER} {'x' * (number % 5)}"})

    feeding = threading.Thread(target=feed)
    feeding.start()
    try:
        page.wait("five different counts are seen", lambda: counts.add(page.number("f-came")) or len(counts) >= 5)
        page.wait("duplicates are listed", lambda: page.rows() >= 3)
    finally:
        stop.set()
        feeding.join()
    assert page.number("f-stopped") > 0 and "Harbour News" in page.text("sources")
    assert len(page.all("#time-chart rect")) >= 2 and len(page.all("#memory-chart rect")) >= 1
    assert "documents" in page.text("f-rate-more") and page.text("f-rate") != "0"


def two_texts_by_pointer_and_by_keyboard(page, service):
    service.post({"id": "one", "text": FERRY}, {"id": "two/2", "text": LATER, "source": "Harbour News"}, {"id": "three", "text": FERRY})
    page.wait("two duplicates are listed", lambda: page.rows() == 2)

    def shown():
        page.wait("both texts are there", lambda: len(page.all("#pair .text[data-whole]")) == 2)
        assert [text.get_attribute("textContent") for text in page.all("#pair .text")] == [FERRY, LATER]
        assert [mark.text for mark in page.all("#pair del")] == ["nine", "old pier"]
        assert [mark.text for mark in page.all("#pair ins")] == ["ten", "new jetty"]
        assert "near-duplicate" in page.text("pair-title")

    page.click("#latest li:nth-child(2) button")
    shown()
    page.click("#pair-next")
    assert page.all("#pair .here")[0].text in ("nine", "ten")
    page.press(Keys.ESCAPE)
    assert not page.is_open("pair")

    page.away()
    for _ in range(20):
        page.press(Keys.TAB)
        if page.run("return document.activeElement.closest('#latest') !== null"):
            break
    focused = lambda: page.run("return [...document.querySelectorAll('#latest button')].indexOf(document.activeElement)")
    assert focused() == 0
    assert page.run("const style = getComputedStyle(document.activeElement); return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2")
    for key, at in [(Keys.ARROW_UP, 0), (Keys.END, 1), (Keys.HOME, 0), (Keys.ARROW_DOWN, 1), (Keys.ARROW_DOWN, 1)]:
        page.press(key)
        assert focused() == at
    page.press(Keys.ENTER)
    shown()
    assert page.nameless() == []
    page.press(Keys.ESCAPE)
    assert not page.is_open("pair") and focused() == 1
    # Under the keys of somebody the list does not move.
    service.post({"id": "four", "text": FERRY})
    page.wait("it is told that more came", lambda: "1 newer" in page.text("newer"))
    assert focused() == 1
    page.click("#newer")
    page.wait("it is shown", lambda: page.rows() == 3 and focused() == 0)


def search_by_id(page, service):
    service.post({"id": "one", "text": FERRY}, {"id": "a/b?c#d e", "text": LATER})
    for id, told in [("a/b?c#d e", "near-duplicate"), ("one", "New"), ("nobody", "Not in the window")]:
        field = page.all("#search-id")[0]
        field.clear()
        field.send_keys(id, Keys.ENTER)
        page.wait(f"{id} is shown", lambda: told in page.text("pair-title"))
        page.press(Keys.ESCAPE)
        assert not page.is_open("pair")
    assert all("/v1/documents/nobody" in said and "404" in said for said in page.complaints())


def hostile_documents_are_text(page, service):
    service.post({"id": BAD_NAME, "source": BAD_NAME, "text": BAD_TEXT}, {"id": f"{BAD_NAME}2", "source": BAD_NAME, "text": BAD_TEXT + " x"})
    page.wait("the duplicate is listed", lambda: page.rows() == 1)
    assert "<script>" in page.all("#latest li")[0].text
    for width in (360, 1280):
        page.wide(width)
        page.wait("the chart is redrawn", lambda: page.sideways() <= 0)
        page.click("#latest button")
        page.wait("both texts are there", lambda: len(page.all("#pair .text[data-whole]")) == 2)
        assert page.all("#pair .text")[0].get_attribute("textContent") == BAD_TEXT
        assert page.all("#pair h3")[0].get_attribute("textContent").startswith(BAD)
        assert "\u202e" not in page.all("#pair h3")[0].get_attribute("textContent")
        assert page.sideways() <= 0, f"{page.sideways()} pixels too wide at {width}"
        page.press(Keys.ESCAPE)
    assert page.run("return window.ran") is None
    assert page.run("return document.querySelectorAll('main script, main img, main svg[onload], dialog script, dialog img').length") == 0


def long_texts(page, service):
    """Two texts of a megabyte that differ in thousands of places do not stop the page."""
    words = [f"word{n * 7919 % 10007}" for n in range(100_000)]
    other = [word if n % 40 else "changed" for n, word in enumerate(words)]
    service.post({"id": "one", "text": " ".join(words)}, {"id": "two", "text": " ".join(other)})
    page.wait("it is listed", lambda: page.rows() == 1)
    page.run("window.slowest = 0; let last = performance.now(); setInterval(() => { const now = performance.now(); slowest = Math.max(slowest, now - last); last = now; }, 10)")
    page.click("#latest button")
    page.wait("both texts are there", lambda: len(page.all("#pair .text[data-whole]")) == 2, 60)
    assert len(page.all("#pair ins")) == 2500
    assert page.run("return slowest") < 5000, page.run("return slowest")
    page.press(Keys.ESCAPE)


def a_flood(page, service):
    """Thousands of documents at once: all are counted, and the list stays short."""
    for start in range(0, 6000, 1000):
        service.post(*({"id": str(n), "text": story(n // 10), "source": f"source {n % 300}"} for n in range(start, start + 1000)))
    page.wait("all are counted", lambda: page.number("f-came") == 6000)
    page.wait("the latest is listed", lambda: "5999" in page.all("#latest li")[0].text)
    assert page.rows() == 50 and len(page.all("#sources tr")) == 11


def lost_and_found(page, service):
    service.post({"id": "one", "text": FERRY})
    page.wait("it is live", lambda: page.state() == "live" and page.number("f-came") == 1)
    service.stop()
    page.wait("it is told that the connection is lost", lambda: page.state() == "lost" and "lost" in page.text("state-text"))
    assert page.run("return !document.getElementById('retry').hidden")
    service.start()
    service.post({"id": "two", "text": FERRY})
    page.click("#retry")
    page.wait("it is live again", lambda: page.state() == "live" and page.number("f-came") == 2 and page.rows() == 1)
    refused = [said for said in page.complaints() if "ERR_CONNECTION_REFUSED" not in said and "ERR_INCOMPLETE" not in said]
    assert refused == [], refused


def a_token(page, service):
    page.wait("a token is asked for", lambda: page.is_open("token"))
    assert page.nameless() == []
    page.press(Keys.ESCAPE)
    assert page.is_open("token")
    page.all("#token-field")[0].send_keys("wrong", Keys.ENTER)
    page.wait("it is asked for again", lambda: page.is_open("token") and "not the token" in page.text("token-told"))
    page.all("#token-field")[0].send_keys(service.token, Keys.ENTER)
    page.wait("the page is there", lambda: not page.is_open("token") and page.state() == "live")
    assert service.token not in page.text("curl") and "Authorization" in page.text("curl")
    service.post({"id": "one", "text": FERRY}, {"id": "two", "text": LATER})
    page.wait("the duplicate is listed", lambda: page.rows() == 1)
    page.click("#latest button")
    page.wait("both texts are there", lambda: len(page.all("#pair .text[data-whole]")) == 2)
    page.open()
    page.wait("it is not asked for again", lambda: page.state() == "live" and page.number("f-came") == 2)
    refused = [said for said in page.complaints() if "401" not in said]
    assert refused == [], refused


def in_any_light(page, service):
    """Colours, widths and motion as their readers want them."""
    now = time.time()
    service.post(*({"id": str(n), "text": f"{FERRY} {n % 7}", "source": "Harbour News", "time": now - n * 400} for n in reversed(range(150))))
    page.wait("all are counted", lambda: page.number("f-came") == 150)
    page.click("#latest button")
    page.wait("both texts are there", lambda: len(page.all("#pair .text[data-whole]")) == 2)
    for scheme in ("light", "dark"):
        page.media(color_scheme=scheme, reduced_motion="reduce")
        worst = page.worst_contrasts()
        assert worst[0][0] >= 4.5, (scheme, worst)
        assert page.run("return getComputedStyle(document.querySelector('.dot')).animationName") == "none"
    page.press(Keys.ESCAPE)
    for width in (320, 360, 768, 1280, 2000):
        page.wide(width)
        page.wait(f"it fits into {width}", lambda: page.sideways() <= 0)


PLAIN = [the_first_document, a_feed_is_followed, two_texts_by_pointer_and_by_keyboard, search_by_id, hostile_documents_are_text, long_texts, a_flood, in_any_light, lost_and_found]
WITH_TOKEN = [a_token]
