/** A `fetch` of which the next call never arrives, or its answer never comes back. */
export function lossyFetch(send: typeof fetch = fetch) {
  let lost: 'call' | 'answer' | undefined;
  const lossy: typeof fetch = async (input, init) => {
    const what = lost;
    lost = undefined;
    if (what === 'call') throw new TypeError('the connection was refused');
    const answer = await send(input, init);
    if (what === 'answer') throw new TypeError('the connection was reset');
    return answer;
  };
  return { lossy, loseNext: (what: 'call' | 'answer') => void (lost = what) };
}
