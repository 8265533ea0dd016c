const APPLE: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const OTHER: Record<string, string> = { Mod: 'Ctrl' };

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Formats a shortcut (`Mod-Shift-7`) with the key names of the reader's platform. */
export function keyText(keys: string, onApple = isApple()): string {
  const names = keys.split('-').map((key) => {
    const name = (onApple ? APPLE : OTHER)[key] ?? key;
    return name.length === 1 ? name.toUpperCase() : name;
  });
  return names.join(onApple ? '' : '+');
}
