// What the service tells. EventSource cannot send a token, so events are read from an ordinary answer, with a token and without.

const KEY = "lookalike-token";
const WAITS = [1, 2, 4, 8, 15];
// The service says something every 15 seconds, if only that nothing happened.
const SILENCE = 40;

export const token = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY)),
};

const headers = () => (token.get() ? { Authorization: `Bearer ${token.get()}` } : {});

/** Asks for something; an error has a status, and the service's own words. */
export async function ask(path) {
  const answer = await fetch(path, { headers: headers(), cache: "no-store" });
  const body = await answer.json().catch(() => null);
  if (!answer.ok) {
    const error = new Error(body?.error?.message ?? `the service answered ${answer.status}`);
    error.status = answer.status;
    throw error;
  }
  return body;
}

/** Reads events for ever, and tells how it goes: `on.event(kind, data)`, `on.state(name, seconds)`, `on.token()`. */
export class Feed {
  #on;
  #since = null;
  #failed = 0;
  #wake = null;

  constructor(on) {
    this.#on = on;
  }

  /** Does not wait any longer. */
  again() {
    this.#failed = 0;
    this.#wake?.();
  }

  async run() {
    for (;;) {
      let wait;
      try {
        wait = await this.#read();
      } catch {
        wait = null;
      }
      if (wait === "token") {
        this.#on.state("token");
        await this.#on.token();
        continue;
      }
      wait ??= WAITS[Math.min(this.#failed, WAITS.length - 1)];
      this.#failed += 1;
      await this.#pause(wait);
    }
  }

  // Reads one answer to its end. What to wait for, if that is known.
  async #read() {
    const stop = new AbortController();
    let alarm = setTimeout(() => stop.abort(), SILENCE * 1000);
    try {
      const path = this.#since === null ? "/v1/events" : `/v1/events?since=${this.#since}`;
      const answer = await fetch(path, { headers: headers(), cache: "no-store", signal: stop.signal });
      if (answer.status === 401) return "token";
      if (!answer.ok) return answer.status === 429 ? 10 : null;
      this.#failed = 0;
      this.#on.state("live");
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new Parser((kind, id, data) => {
        if (id !== "") this.#since = id;
        this.#on.event(kind, JSON.parse(data));
      });
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return null;
        clearTimeout(alarm);
        alarm = setTimeout(() => stop.abort(), SILENCE * 1000);
        parser.push(value);
      }
    } finally {
      clearTimeout(alarm);
      stop.abort();
    }
  }

  async #pause(seconds) {
    const until = Date.now() + seconds * 1000;
    let woken = false;
    while (!woken && Date.now() < until) {
      this.#on.state("lost", Math.ceil((until - Date.now()) / 1000));
      await new Promise((done) => {
        this.#wake = () => done((woken = true));
        setTimeout(done, Math.min(1000, until - Date.now()));
      });
    }
    this.#wake = null;
    this.#on.state("waiting");
  }
}

/** Cuts a stream of text into events. */
export class Parser {
  #tell;
  #open = "";
  #kind = "message";
  #id = "";
  #data = [];

  constructor(tell) {
    this.#tell = tell;
  }

  push(text) {
    const lines = (this.#open + text).split("\n");
    this.#open = lines.pop();
    for (const line of lines) this.#line(line.replace(/\r$/, ""));
  }

  #line(line) {
    if (line === "") {
      if (this.#data.length > 0) this.#tell(this.#kind, this.#id, this.#data.join("\n"));
      [this.#kind, this.#id, this.#data] = ["message", "", []];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#kind = value;
    else if (field === "id") this.#id = value;
    else if (field === "data") this.#data.push(value);
  }
}
