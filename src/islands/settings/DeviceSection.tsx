import type { Device } from '../../lib/contract/account-entities.ts';
import { call } from '../../lib/stores/api.ts';
import { askAndRemove } from '../../lib/stores/removal.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Section } from '../ui/Section.tsx';
import { Time } from '../ui/Time.tsx';
import { useOnce } from '../ui/use-once.ts';
import { Action } from '../ui/Action.tsx';
import { QuietButton } from '../ui/Button.tsx';

export function DeviceSection({ devices, onChange }: { devices: readonly Device[]; onChange(): void }) {
  const [, once] = useOnce();
  const endOthers = () =>
    askAndRemove({
      title: '退出其他所有设备？',
      text: '那些设备上要重新登录才能写文章和评论，没有保存的内容仍留在那些设备上。',
      action: '全部退出',
      remove: () => call('deviceEndOthers', {}),
      notify: () => showNotice('其他设备都已退出登录'),
      settled: onChange,
    });
  return (
    <Section title="登录的设备">
      <p className="text-sm text-soft">每次登录最多保持 180 天。看到不认识的设备，请让它退出，再修改密码。</p>
      <ul role="list" aria-label="登录的设备" className="mt-2">
        {devices.map((device) => (
          <Row key={device.id} device={device} onChange={onChange} />
        ))}
      </ul>
      {devices.length > 1 && (
        <QuietButton className="mt-2" onClick={() => void once(endOthers)}>
          退出其他所有设备
        </QuietButton>
      )}
    </Section>
  );
}

function Row({ device, onChange }: { device: Device; onChange(): void }) {
  const { id, name, create_time, last_used, is_current } = device;
  const shown = name === '' ? '未知设备' : name;
  const end = () =>
    askAndRemove({
      title: `让「${shown}」退出登录？`,
      text: '那里要重新登录才能写文章和评论。',
      action: '退出登录',
      remove: () => call('deviceEnd', { id }),
      notify: () => showNotice('这台设备已退出登录'),
      settled: onChange,
    });
  return (
    <li className="flex items-center gap-x-4 min-h-16">
      <div className="flex-1 min-w-0">
        <p className="leading-snug [overflow-wrap:anywhere]">
          <bdi>{shown}</bdi>
          {is_current && <span className="badge ml-2">这台设备</span>}
        </p>
        <p className="meta">
          {is_current ? (
            '正在使用'
          ) : (
            <>
              最近使用 <Time iso={last_used} />
            </>
          )}
          {' · '}登录于 <Time iso={create_time} />
        </p>
      </div>
      {!is_current && (
        <Action isDangerous className="flex-none text-sm" label={`让「${shown}」退出登录`} work={end}>
          退出
        </Action>
      )}
    </li>
  );
}
