import { useEffect, useId, useState } from 'react';
import { builtInName, PLACES, type NavEntry } from '../../../lib/contract/rules/navigation.ts';
import { SITE_BOUNDS } from '../../../lib/contract/rules/site-rules.ts';
import { seriesUrl, tagUrl } from '../../../lib/shared/urls.ts';
import { $session } from '../../../lib/stores/account/session.ts';
import { call } from '../../../lib/stores/api.ts';
import { Action } from '../../ui/Action.tsx';
import { TextButton } from '../../ui/Button.tsx';
import { Select } from '../../ui/form/Choice.tsx';
import { FieldNotes } from '../../ui/form/LineField.tsx';
import { SortableList } from '../../ui/SortableList.tsx';
import type { SiteFrame } from './AccentField.tsx';

interface Props extends SiteFrame {
  value: readonly NavEntry[];
  onChange(value: NavEntry[]): void;
}

interface Row extends NavEntry {
  key: number;
}

/** Entries of header and footer: renamed, moved, hidden, and own ones added and removed. */
export function NavigationField({ value, onChange, disabled, ...frame }: Props) {
  const addresses = useId();
  // An entry that moves keeps its key. After a reset of the form there may be more entries than keys.
  const [keys, setKeys] = useState(() => value.map((_, index) => index));
  const free = Math.max(-1, ...keys) + 1;
  const rows = value.map((entry, index): Row => ({ ...entry, key: keys[index] ?? free + index }));
  const put = (all: readonly Row[]) => {
    setKeys(all.map(({ key }) => key));
    onChange(all.map(({ href, text, place }) => ({ href, text, place })));
  };
  const change = (key: number, changes: Partial<NavEntry>) =>
    put(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  const nameOf = ({ text, href }: NavEntry) => `「${text || href || '新的一项'}」`;

  return (
    <fieldset className="m-0 p-0 border-0 min-w-0" disabled={disabled}>
      <legend className="mb-1 p-0 text-sm text-soft">页眉和页脚的各项</legend>
      <SortableList<Row>
        items={rows}
        keyOf={({ key }) => String(key)}
        nameOf={nameOf}
        onOrder={put}
        actions={(row) =>
          builtInName(row.href) === undefined && (
            <Action
              isDangerous
              label={`去掉${nameOf(row)}`}
              onClick={() => {
                put(rows.filter(({ key }) => key !== row.key));
                document.getElementById(frame.id)?.focus();
              }}
            >
              去掉
            </Action>
          )
        }
      >
        {({ key, text, href, place }, index) => {
          const builtIn = builtInName(href);
          const nth = `第 ${index + 1} 项`;
          return (
            <span className="flex-1 min-w-60 flex flex-wrap items-center gap-2 py-2">
              <input
                className="field flex-1 !w-auto min-w-28"
                aria-label={`${nth}的文字`}
                placeholder={builtIn ?? '文字'}
                maxLength={SITE_BOUNDS.entry[1]}
                autoComplete="off"
                value={text}
                onChange={({ target }) => change(key, { text: target.value })}
              />
              <Select
                className="field flex-none !w-auto"
                aria-label={`${nth}放在哪里`}
                value={place}
                options={PLACES}
                onChange={(chosen) => change(key, { place: chosen })}
              />
              {builtIn === undefined ? (
                <input
                  className="field basis-full"
                  aria-label={`${nth}的地址`}
                  placeholder="/series/… 或 https://…"
                  autoComplete="off"
                  inputMode="url"
                  list={addresses}
                  value={href}
                  onChange={({ target }) => change(key, { href: target.value })}
                />
              ) : (
                <span className="basis-full text-sm text-soft [text-autospace:no-autospace]">{href}</span>
              )}
            </span>
          );
        }}
      </SortableList>
      <KnownAddresses id={addresses} />
      {rows.length < SITE_BOUNDS.entries && !disabled && (
        <TextButton
          id={frame.id}
          className="ml--1"
          onClick={() => put([...rows, { href: '', text: '', place: 'header', key: free + rows.length }])}
        >
          加一项
        </TextButton>
      )}
      <FieldNotes {...frame} />
    </fieldset>
  );
}

const MAX_TAGS = 200;

/** Addresses of tags and of the operator's series, as suggestions; none if they cannot be loaded. */
function KnownAddresses({ id }: { id: string }) {
  const [known, setKnown] = useState<readonly { href: string; text: string }[]>([]);
  useEffect(() => {
    const username = $session.get()?.username ?? '';
    const series = call('seriesList', { username }, { quiet: true });
    const tags = call('tagList', { used: true, page: 1, pageSize: MAX_TAGS }, { quiet: true });
    Promise.all([series, tags]).then(
      ([own, used]) =>
        setKnown([
          ...own.result.map(({ _id, title }) => ({ href: seriesUrl(_id), text: `专栏：${title}` })),
          ...used.result.map(({ name }) => ({ href: tagUrl(name), text: `标签：${name}` })),
        ]),
      () => undefined,
    );
  }, []);
  return (
    <datalist id={id}>
      {known.map(({ href, text }) => (
        <option key={href} value={href}>
          {text}
        </option>
      ))}
    </datalist>
  );
}
