/**
 * Sets the theme (light by default; with `system` the style sheets follow the system) and `html[data-user]`,
 * which chrome.css uses, before the first paint.
 */
export const THEME_SCRIPT =
  "{const d=document.documentElement.dataset;if(/(^|; )user=./.test(document.cookie))d.user='';try{if(/dark|system/.test(localStorage.theme))d.theme=localStorage.theme}catch{}}";
