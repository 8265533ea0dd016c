/**
 * Sets the theme (light by default; with `system` the style sheets follow the system), the reader's text size
 * and line width of articles, and `html[data-user]`, which chrome.css uses, before the first paint.
 */
export const THEME_SCRIPT =
  "{const d=document.documentElement.dataset;try{if(/(^|; )user=./.test(document.cookie))d.user='';d.theme=localStorage.theme||'';d.size=localStorage.size||'';d.width=localStorage.width||''}catch{}}";
