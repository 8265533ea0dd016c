import { Autocomplete } from '@base-ui/react/autocomplete';
import type { KeyboardEvent, ReactNode } from 'react';
import { isComposing } from '../../ui/form/composition.ts';

interface Props<T> {
  label: string;
  placeholder: string;
  query: string;
  choices: readonly T[];
  empty: string;
  keyOf(choice: T): string;
  nameOf(choice: T): string;
  onQuery(query: string): void;
  onPick(choice: T): void;
  children(choice: T): ReactNode;
}

/** Searchable list in a dialog. Arrow keys move through it, Enter or a click picks an item. */
export function Picker<T>(props: Props<T>) {
  const { label, placeholder, query, choices, empty, keyOf, nameOf, onQuery, onPick, children } = props;
  const keepEnter = (event: KeyboardEvent) => {
    // Enter here confirms a word of the input method.
    if (event.key === 'Enter' && isComposing(event)) event.stopPropagation();
  };
  return (
    <Autocomplete.Root<T>
      inline
      open
      autoHighlight="always"
      keepHighlight
      items={choices}
      filter={null}
      value={query}
      // Picking an item would write its name into the field.
      onValueChange={(text, { reason }) => reason === 'input-change' && onQuery(text)}
      itemToStringValue={nameOf}
    >
      <div onKeyDownCapture={keepEnter}>
        <Autocomplete.Input
          aria-label={label}
          placeholder={placeholder}
          className="field mt-4"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
        />
      </div>
      <Autocomplete.Empty className="px-4 py-3 text-sm text-soft empty:hidden">{empty}</Autocomplete.Empty>
      <Autocomplete.List className="picker-list">
        {(choice: T) => (
          <Autocomplete.Item
            key={keyOf(choice)}
            value={choice}
            className="picker-item"
            onClick={() => onPick(choice)}
          >
            {children(choice)}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
