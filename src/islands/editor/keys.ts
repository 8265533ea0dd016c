const APPLE: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const OTHER: Record<string, string> = { Mod: 'Ctrl' };

/** Whether ⌘ is what Ctrl is elsewhere. */
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** A shortcut (`Mod-Shift-7`) as this keyboard's keys are called. */
export function keyText(keys: string, onApple = isApple()): string {
  const names = keys.split('-').map((key) => {
    const name = (onApple ? APPLE : OTHER)[key] ?? key;
    return name.length === 1 ? name.toUpperCase() : name;
  });
  return names.join(onApple ? '' : '+');
}
