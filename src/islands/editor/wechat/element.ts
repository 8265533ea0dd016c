export function elementOf(name: string, ...nodes: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  element.append(...nodes);
  return element;
}
