type Lost = 'call' | 'answer' | undefined;

/** A `fetch` of which a call never arrives, or its answer never comes back: the next one, or all until told otherwise. */
export function lossyFetch(send: typeof fetch = fetch) {
  let next: Lost;
  let all: Lost;
  const lossy: typeof fetch = async (input, init) => {
    const lost = next ?? all;
    next = undefined;
    if (lost === 'call') throw new TypeError('the connection was refused');
    const answer = await send(input, init);
    if (lost === 'answer') throw new TypeError('the connection was reset');
    return answer;
  };
  return {
    lossy,
    loseNext: (what: 'call' | 'answer') => void (next = what),
    loseAll: (what: Lost) => void (all = what),
  };
}
