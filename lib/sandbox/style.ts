import { html } from '../page/html.ts';

/** The sandbox has the look of a separate bank. The CSP allows this style sheet by its hash. */
export const style = html`
:root{color-scheme:light dark;--ground:#f3f1fa;--card:#fff;--ink:#1d1a2b;--quiet:#5d5870;--line:#dcd8e8;--field:#8a849e;--accent:#4a3aa7;--press:#392c86;--on:#fff;--bad:#a4232f;--badge:#fff3c9;--badgeink:#5b4300}
@media(prefers-color-scheme:dark){:root{--ground:#12101c;--card:#1c1929;--ink:#ece9f6;--quiet:#aca6c2;--line:#373149;--field:#8f88a8;--accent:#a99bff;--press:#c2b8ff;--on:#17122e;--bad:#ff9aa2;--badge:#3a3010;--badgeink:#f7dd8c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;padding:0 1rem 2rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
header{margin:0 -1rem 1.5rem;padding:.5rem 1rem;align-self:stretch;background:var(--badge);color:var(--badgeink);font-size:.875rem;font-weight:600;text-align:center}
main{width:100%;max-width:27rem;padding:1.75rem 1.5rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0;font-size:1.25rem;line-height:1.3}
p{margin:.5rem 0 0}
.quiet,.hint,td,th{color:var(--quiet);font-size:.875rem}
.amount{margin:.25rem 0 0;font-size:2rem;line-height:1.2;font-weight:650;font-variant-numeric:tabular-nums}
label{display:block;margin:1.1rem 0 .3rem;font-size:.875rem;font-weight:600}
label span{font-weight:400;color:var(--quiet)}
input{display:block;width:100%;min-height:3rem;padding:.6rem .8rem;border:1px solid var(--field);border-radius:.6rem;background:transparent;color:inherit;font:inherit;font-variant-numeric:tabular-nums}
input[aria-invalid]{border:2px solid var(--bad)}
.bad{margin:.3rem 0 0;color:var(--bad);font-size:.875rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem}
button{display:block;width:100%;min-height:3rem;margin:1.5rem 0 0;padding:.7rem 1rem;border:0;border-radius:.6rem;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--press)}
button.second{margin-top:.6rem;background:transparent;color:var(--quiet);font-weight:400;text-decoration:underline}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
details{margin:1.5rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line)}
summary{cursor:pointer;font-weight:600}
table{width:100%;margin:.75rem 0 0;border-collapse:collapse}
th,td{padding:.35rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td:first-child{padding-right:.9rem;white-space:nowrap;font-variant-numeric:tabular-nums;color:var(--ink);user-select:all}
`;
