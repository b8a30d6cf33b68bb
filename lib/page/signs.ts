import { html, type Html } from './html.ts';

export type Tone = 'good' | 'bad' | 'calm' | 'quiet';

const strokes: Readonly<Record<Tone, Html>> = {
  good: html`<path d="m15 25 6 6 12-13"/>`,
  bad: html`<path d="m17 17 14 14m0-14L17 31"/>`,
  calm: html`<path d="M24 14v10"/><path class="turn" d="M24 24l7 4"/>`,
  quiet: html`<path d="M24 14v13m0 6v.5"/>`,
};

/** The round icon above a heading. It repeats the heading, so it is hidden from screen readers. */
export const sign = (tone: Tone): Html =>
  html`<svg class="sign ${tone}" viewBox="0 0 48 48" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><circle cx="24" cy="24" r="21"/>${strokes[tone]}</svg>`;

/** The icon beside the sentence about the secure page. */
export const lock = html`<svg viewBox="0 0 18 22" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"><path d="M2 9.5h14V20H2z"/><path d="M5 9.5V6a4 4 0 0 1 8 0v3.5"/></svg>`;
