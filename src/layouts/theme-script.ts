/**
 * Sets the reader's theme before first paint; the only script of a page that is not an island. Nothing stored means light.
 * Written small because every page carries it.
 */
export const THEME_SCRIPT =
  "try{const t=localStorage.getItem('theme');if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch{}";

/** What the Content-Security-Policy allows it by: changes with every character of it, and a test compares the two. */
export const THEME_SCRIPT_HASH = 'sha256-6AYJf3zMSItRFRoQ/evwkBj4fL4Moc7T3CjFhqDQhkc=';
