// Works the fingerprint of a code out again in the browser and compares it with what was shown before the first guess (R1.3).

async function fingerprint(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

for (const part of document.querySelectorAll("[data-proof]")) {
  const check = part.querySelector("[data-proof-check]");
  if (!globalThis.crypto?.subtle) continue; // only where the connection is secure
  check.hidden = false;
  check.querySelector("button").addEventListener("click", async () => {
    const { code, nonce, commitment } = part.dataset;
    const isSame = (await fingerprint(`${code}:${nonce}`)) === commitment;
    const output = check.querySelector("output");
    output.textContent = isSame ? "It matches: the code was fixed before the first guess." : "It does not match.";
    output.dataset.tone = isSame ? "good" : "bad";
  });
}
