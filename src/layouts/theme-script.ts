/**
 * Sets before first paint what the page must not flash: the reader's theme (nothing stored means light), and
 * whether somebody seems to be signed in (`html[data-user]`, which base.css chooses by). Written small
 * because every page carries it.
 */
export const THEME_SCRIPT =
  "{const d=document.documentElement.dataset;if(/(^|; )user=./.test(document.cookie))d.user='';try{if(localStorage.theme==='dark')d.theme='dark'}catch{}}";
