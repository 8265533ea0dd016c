/**
 * Sets the theme (light by default; with `system` the style sheets follow the system), the reader's text size and
 * line width of articles, and `html[data-user]`, which chrome.css uses, before the first paint.
 */
export const THEME_SCRIPT =
  "{const d=document.documentElement.dataset;if(/(^|; )user=./.test(document.cookie))d.user='';try{for(const k of['theme','size','width'])if(/^(dark|system|small|large|wide)$/.test(localStorage[k]))d[k]=localStorage[k]}catch{}}";
