/** Sets the theme (light by default) and `html[data-user]`, which chrome.css uses, before the first paint. */
export const THEME_SCRIPT =
  "{const d=document.documentElement.dataset;if(/(^|; )user=./.test(document.cookie))d.user='';try{if(localStorage.theme==='dark')d.theme='dark'}catch{}}";
