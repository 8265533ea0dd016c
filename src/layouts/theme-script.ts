/**
 * Sets before first paint what the page must not flash: the reader's theme (nothing stored means light), and whether somebody seems
 * to be signed in (`html[data-user]`, which base.css chooses by). Written small because every page carries it.
 */
export const THEME_SCRIPT =
  "{const d=document.documentElement.dataset;if(/(^|; )user=./.test(document.cookie))d.user='';try{if(localStorage.theme==='dark')d.theme='dark'}catch{}}";

/** What the Content-Security-Policy allows it by: changes with every character of it, and a test compares the two. */
export const THEME_SCRIPT_HASH = 'sha256-/n/1DWtHa1F3eqhra9zG95UBP7l9TSqu4YxIlWfL1vs=';
