// Requests to the service, and its stream of events. EventSource cannot send a token, so the stream is read with fetch.

const KEY = "lookalike-token";
const WAITS = [1, 2, 4, 8, 15];
// Seconds without data after which to reconnect. The service sends a keep-alive every 15 seconds.
const SILENCE = 40;

export const token = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY)),
};

const headers = () => (token.get() ? { Authorization: `Bearer ${token.get()}` } : {});

/** Sends a GET request. An error has the status and the message of the service. */
export async function ask(path) {
  const response = await fetch(path, { headers: headers(), cache: "no-store" });
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    const error = new Error(body?.error?.message ?? `the service responded with status ${response.status}`);
    error.status = response.status;
    throw error;
  }
  return body;
}

/** Reads events and reconnects forever. Callbacks: `on.event(kind, data)`, `on.state(name, seconds)`, `on.token()`. */
export class Feed {
  #on;
  #since = null;
  #failed = 0;
  #wake = null;

  constructor(on) {
    this.#on = on;
  }

  /** Reconnects now. */
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

  // Reads one response to its end. Returns the seconds to wait, "token" if a token is needed, or null.
  async #read() {
    const stop = new AbortController();
    let alarm = setTimeout(() => stop.abort(), SILENCE * 1000);
    try {
      const path = this.#since === null ? "/v1/events" : `/v1/events?since=${this.#since}`;
      const response = await fetch(path, { headers: headers(), cache: "no-store", signal: stop.signal });
      if (response.status === 401) return "token";
      if (!response.ok) return response.status === 429 ? 10 : null;
      this.#failed = 0;
      this.#on.state("live");
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
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

/** Splits a stream of text into events. */
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
