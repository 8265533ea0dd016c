import { palette } from '../lib/shared/palette.ts';

/**
 * Sets the theme (light by default, the system's if the reader chose that), the colour of the browser's bars,
 * and `html[data-user]`, which chrome.css uses, before the first paint.
 */
export const THEME_SCRIPT =
  "{const d=document.documentElement.dataset;if(/(^|; )user=./.test(document.cookie))d.user='';" +
  "try{const t=localStorage.theme;if(t==='system')d.system='';" +
  "if(t==='dark'||t==='system'&&matchMedia('(prefers-color-scheme:dark)').matches){d.theme='dark';" +
  `document.querySelector('[name=theme-color]').content='${palette.dark.paper}'}}catch{}}`;
