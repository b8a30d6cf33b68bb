import { encode } from 'uqr';
import { html, type Html } from './html.ts';

/** A text as a QR code: inline SVG, black on white in dark mode too, with the quiet zone that scanners need. */
export function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  return html`<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${data.map(rowPath).join('')}"/></svg>`;
}

/** One rectangle per run of dark modules: half the bytes of one per module, and no hairlines between them. */
function rowPath(row: readonly boolean[], y: number): string {
  const modules = row.map((dark) => (dark ? '1' : '0')).join('');
  return [...modules.matchAll(/1+/g)]
    .map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)
    .join('');
}
