import { html } from '../../../lib/page/html.ts';

/** One style sheet for both origins. The content security policy allows it by its hash. */
export const style = html`
:root{color-scheme:light dark;--ground:#eef2f6;--card:#fff;--ink:#16202c;--quiet:#55606e;--line:#d3dbe4;--field:#7d8997;--accent:#0b57c2;--press:#08459c;--on:#fff;--bad:#a3202c;--badge:#fff3c9;--badgeink:#5b4300}
@media(prefers-color-scheme:dark){:root{--ground:#0e131a;--card:#18202a;--ink:#e8eef5;--quiet:#a5b1bf;--line:#2f3a47;--field:#8592a1;--accent:#8ab8ff;--press:#adcdff;--on:#08203f;--bad:#ff9aa2;--badge:#3a3010;--badgeink:#f7dd8c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;padding:0 1rem 2rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
header{margin:0 -1rem 1.5rem;padding:.5rem 1rem;align-self:stretch;background:var(--badge);color:var(--badgeink);font-size:.875rem;font-weight:600;text-align:center}
main{width:100%;max-width:27rem;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{margin:0;font-size:1.25rem;line-height:1.3}
p{margin:.5rem 0 0}
.quiet,.hint,td,th{color:var(--quiet);font-size:.875rem}
.amount{margin:.25rem 0 0;font-size:2rem;line-height:1.2;font-weight:650;font-variant-numeric:tabular-nums}
.or{margin:1rem 0 -.5rem;text-align:center;color:var(--quiet)}
label{display:block;margin:1.1rem 0 .3rem;font-size:.875rem;font-weight:600}
input{display:block;width:100%;min-height:3rem;padding:.6rem .8rem;border:1px solid var(--field);border-radius:.5rem;background:transparent;color:inherit;font:inherit;font-variant-numeric:tabular-nums}
input[aria-invalid]{border:2px solid var(--bad)}
.bad{margin:.3rem 0 0;color:var(--bad);font-size:.875rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem}
button,a.button{display:block;width:100%;min-height:3rem;margin:1.5rem 0 0;padding:.7rem 1rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--on);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button:hover,a.button:hover{background:var(--press)}
button.second{background:transparent;color:var(--accent);border:1px solid var(--accent)}
p.leave{margin:1.25rem 0 0;text-align:center}
p.leave a{display:inline-block;padding:.6rem;color:var(--quiet)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.qr{display:block;width:100%;max-width:15rem;margin:1rem auto 0}
details{margin:1.5rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line)}
summary{cursor:pointer;font-weight:600}
table{width:100%;margin:.75rem 0 0;border-collapse:collapse}
th,td{padding:.35rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td:first-child{padding-right:.9rem;white-space:nowrap;font-variant-numeric:tabular-nums;color:var(--ink);user-select:all}
`;
