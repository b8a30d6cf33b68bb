import { html } from './html.ts';

/** The only style sheet, inlined with the nonce of the answer; the CSP refuses `style` attributes. */
export const style = html`
:root{color-scheme:light dark;--ground:#eef1f4;--card:#fff;--ink:#16202a;--quiet:#55626f;--line:#dde3e8;--accent:#0a6152;--press:#084c40;--on:#fff;--good:#0a6152;--bad:#a32020;--calm:#8a5a00;--note:#fdf4e0}
@media(prefers-color-scheme:dark){:root{--ground:#0e1318;--card:#182028;--ink:#e9eef2;--quiet:#a6b3be;--line:#2d3843;--accent:#4fd0b2;--press:#7adfc8;--on:#04251d;--good:#4fd0b2;--bad:#ff9b93;--calm:#f0c060;--note:#2c2615}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1rem;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:26rem;padding:1.75rem 1.5rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px #0001,0 12px 32px -16px #0003}
h1{margin:0;font-size:1.25rem;line-height:1.3;font-weight:600}
p{margin:.75rem 0 0}
main>:first-child{margin-top:0}
.to{margin:0 0 .25rem}
.quiet,dt,footer{color:var(--quiet)}
.quiet,dl,footer{font-size:.9rem}
.amount{margin:1rem 0 0;font-size:2.25rem;line-height:1.2;font-weight:650;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.amount.long{font-size:1.6rem}
@media(max-width:22rem){.amount{font-size:1.85rem}.amount.long{font-size:1.45rem}}
.note{padding:.75rem 1rem;margin:0 0 1.25rem;border-left:3px solid var(--calm);border-radius:.25rem;background:var(--note)}
dl{margin:1.25rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line);display:grid;grid-template-columns:auto 1fr;gap:.35rem 1rem}
dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
dl.items{grid-template-columns:1fr auto}
dl.items dt{min-width:0}
dl.items dd{white-space:nowrap}
details{margin:1.25rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line)}
details dl{margin-top:.75rem;padding:0;border:0}
summary{cursor:pointer;color:var(--quiet);font-size:.9rem}
.lines{white-space:pre-line}
.total{font-weight:600;color:var(--ink)}
label{display:block;margin:1.25rem 0 .35rem;font-weight:600}
input,textarea{display:block;width:100%;min-height:3rem;padding:.6rem .8rem;border:1px solid var(--quiet);border-radius:.6rem;background:transparent;color:inherit;font:inherit}
textarea{resize:vertical}
[aria-invalid]{border:2px solid var(--bad)}
.under{margin-top:.35rem;font-size:.9rem}
.button{display:block;width:100%;margin:1.5rem 0 0;padding:.9rem 1rem;border:0;border-radius:.7rem;background:var(--accent);color:var(--on);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover,.button:active{background:var(--press)}
.button.second{margin-top:.75rem;background:none;border:1px solid var(--accent);color:var(--accent)}
.button.second:hover,.button.second:active{background:var(--note)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.hint{margin-top:1rem;display:flex;gap:.6rem}
.hint svg{flex:none;width:1.1rem;height:1.35rem}
.sign{display:block;width:3rem;height:3rem;margin:0 0 1rem;color:var(--quiet)}
.good{color:var(--good)}.bad{color:var(--bad)}.calm{color:var(--calm)}
.turn{transform-origin:center}
@media(prefers-reduced-motion:no-preference){.turn{animation:t 6s linear infinite}}
@keyframes t{to{transform:rotate(1turn)}}
.code{margin:1.5rem auto 0;width:min(15rem,100%);padding:.25rem;border-radius:.75rem;background:#fff}
.code svg{display:block;width:100%}
.center,.back{text-align:center}
.apart,.back{margin-top:1.25rem}
footer{display:flex;gap:.5rem 1.25rem;flex-wrap:wrap;justify-content:center}
p a{color:var(--accent)}
footer a{color:inherit}
`;
