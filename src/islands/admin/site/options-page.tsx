import type { ReactNode } from 'react';
import type { SiteOptionChanges, SiteOptions } from '../../../lib/contract/site-options.ts';
import { call } from '../../../lib/stores/api.ts';
import { consoleAnswer } from '../console-answer.tsx';
import { OptionsForm, type FormContext } from './OptionsForm.tsx';

/** Options of a choice among numbers: `numbers` and the stored one, ascending as integer keys always are. */
export const numberOptions = (
  numbers: readonly number[],
  stored: number,
  textOf: (number: number) => string,
) => Object.fromEntries([...numbers, stored].map((number) => [number, textOf(number)]));

/**
 * Section of the settings that changes site options.
 * @param valuesOf returns the options that the form shows
 * @param more parts below the form, whose changes are not part of it
 */
export const optionsPage = <T extends SiteOptionChanges>(
  label: string,
  valuesOf: (options: SiteOptions) => T,
  fields: (context: FormContext<T>) => ReactNode,
  more?: (options: SiteOptions) => ReactNode,
) =>
  consoleAnswer(
    () => call('siteOptions', {}, { quiet: true }),
    (options) => (
      <div className="pb-16">
        <OptionsForm<T>
          label={label}
          stored={valuesOf(options)}
          save={async (changes) => valuesOf(await call('siteOptionsChange', changes, { quiet: true }))}
        >
          {fields}
        </OptionsForm>
        {more?.(options)}
      </div>
    ),
  );
