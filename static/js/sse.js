// The text of an event stream as messages. Read by fetch, not EventSource: the page must see the status (a 401 ends the stream),
// must send the last id it knows after any kind of break, and must notice a connection that has gone silent.

/** Yields {event, data, id} of `response`; `alive` is called for every chunk, comments too. A `retry:` field comes as an event. */
export async function* messages(response, alive) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let message = blank();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (line === "" || line === "\r") {
          if (message.retry) yield { event: "retry", data: message.retry, id: null };
          if (message.lines.length) yield { event: message.event, data: message.lines.join("\n"), id: message.id };
          message = blank();
        } else {
          take(message, line.replace(/\r$/, ""));
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function blank() {
  return { event: "", lines: [], id: null, retry: "" };
}

function take(message, line) {
  const colon = line.indexOf(":");
  if (colon === 0) return; // a comment: the beat
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (field === "data") message.lines.push(value);
  else if (field === "event") message.event = value;
  else if (field === "id") message.id = value;
  else if (field === "retry" && /^\d+$/.test(value)) message.retry = value;
}
