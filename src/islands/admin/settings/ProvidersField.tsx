import { useState } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import { callbackPath } from '../../../lib/contract/rules/paths.ts';
import {
  PROVIDER_FIELDS,
  PROVIDER_KINDS,
  PROVIDER_TRUST,
  providersIn,
  type ProviderEntry,
  type ProviderKind,
} from '../../../lib/contract/rules/sign-in-providers.ts';
import { call } from '../../../lib/stores/api.ts';
import { Action } from '../../ui/Action.tsx';
import { TextButton } from '../../ui/Button.tsx';
import { Checks } from '../../ui/form/Checks.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { FieldNotes, LineField } from '../../ui/form/LineField.tsx';
import { SortableList } from '../../ui/SortableList.tsx';

interface Props {
  id: string;
  problem: string;
  disabled: boolean;
  /** SSO_JSON, and as it is stored. */
  value: string;
  stored: string;
  onChange(json: string): void;
}

const MAX_PROVIDERS = 10;
const isTrust = (name: string): name is keyof typeof PROVIDER_TRUST => name in PROVIDER_TRUST;

/** Identity providers: added, edited, put in order, removed and tested. */
export function ProvidersField({ value, stored, disabled, onChange, ...frame }: Props) {
  const providers = providersIn(value);
  const known = providersIn(stored);
  // A provider that moves keeps its key.
  const [keys, setKeys] = useState(() => providers.map((_, index) => index));
  const [result, setResult] = useState('');
  const free = Math.max(-1, ...keys) + 1;
  const rows = providers.map((entry, index) => ({ entry, key: keys[index] ?? free + index }));
  const put = (all: typeof rows) => {
    setKeys(all.map(({ key }) => key));
    onChange(JSON.stringify({ providers: all.map(({ entry }) => entry) }));
  };
  const nameOf = ({ entry: { label, id } }: (typeof rows)[number]) => `「${label || id || '新的登录方式'}」`;
  const test = async (id: string) => {
    setResult('正在测试…');
    setResult(
      await call('providerTest', { id }, { quiet: true }).catch((error: unknown) =>
        explain(error, '没有成功'),
      ),
    );
  };
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0" disabled={disabled}>
      <legend className="mb-1 p-0 text-sm text-soft">用其他网站的账号登录</legend>
      {rows.length === 0 && <p className="text-soft">还没有。</p>}
      <SortableList
        items={rows}
        keyOf={({ key }) => String(key)}
        nameOf={nameOf}
        onOrder={put}
        actions={(row) => (
          <>
            {known.some((each) => JSON.stringify(each) === JSON.stringify(row.entry)) && (
              <Action label={`测试${nameOf(row)}`} work={() => test(row.entry.id)}>
                测试
              </Action>
            )}
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
          </>
        )}
      >
        {({ entry, key }) => (
          <Provider
            entry={entry}
            isNew={!known.some(({ id }) => id === entry.id)}
            onChange={(changes) =>
              put(rows.map((row) => (row.key === key ? { key, entry: { ...row.entry, ...changes } } : row)))
            }
          />
        )}
      </SortableList>
      {rows.length < MAX_PROVIDERS && !disabled && (
        <TextButton
          id={frame.id}
          className="ml--1"
          onClick={() =>
            put([
              ...rows,
              {
                key: free + rows.length,
                entry: { id: '', kind: 'oidc', label: '', client_id: '', client_secret: '', trust: [] },
              },
            ])
          }
        >
          加一个登录方式
        </TextButton>
      )}
      <output className="block mt-1 text-sm wrap-anywhere empty:hidden">{result}</output>
      <FieldNotes {...frame} />
    </fieldset>
  );
}

interface EntryProps {
  entry: ProviderEntry;
  isNew: boolean;
  onChange(changes: Partial<ProviderEntry>): void;
}

function Provider({ entry, isNew, onChange }: EntryProps) {
  const { kind, label, id, trust } = entry;
  const [isOpen, setIsOpen] = useState(isNew);
  const fields = Object.entries(PROVIDER_FIELDS).filter(([, { kinds }]) => kinds?.includes(kind) ?? true);
  /** Another kind has other fields, which the server would refuse. */
  const choose = (chosen: ProviderKind) => {
    const others = Object.entries(PROVIDER_FIELDS).filter(
      ([, { kinds }]) => kinds?.includes(chosen) === false,
    );
    onChange({ kind: chosen, ...Object.fromEntries(others.map(([name]) => [name, undefined])) });
  };
  return (
    <details
      className="flex-1 min-w-60 py-2.5"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer wrap-anywhere">{label || '新的登录方式'}</summary>
      <div className="grid gap-y-4 py-3">
        {isNew && <Choice label="哪种" value={kind} options={PROVIDER_KINDS} onChange={choose} />}
        {fields.map(([name, { title, hint = '', isList }]) => {
          const value = entry[name];
          const isSecret = name === 'client_secret';
          const text = Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '';
          return (
            <LineField
              key={name}
              label={title}
              hint={isSecret && !isNew ? '已经设置，不显示；留空就不变。' : hint}
              {...(isSecret && { type: 'password', autoComplete: 'new-password' })}
              readOnly={name === 'id' && !isNew}
              value={text}
              onChange={(typed) =>
                onChange({ [name]: isList ? typed.split(/[,，]/).map((each) => each.trimStart()) : typed })
              }
            />
          );
        })}
        <Checks
          legend="相信它说的"
          names={PROVIDER_TRUST}
          chosen={trust.filter(isTrust)}
          onChange={(chosen) => onChange({ trust: chosen })}
        />
        {id !== '' && (
          <p className="text-sm text-soft wrap-anywhere">
            在服务商那里登记的回调地址：{globalThis.location?.origin}
            {callbackPath(id)}
          </p>
        )}
      </div>
    </details>
  );
}
