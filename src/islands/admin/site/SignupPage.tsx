import type { SiteOptions } from '../../../lib/contract/site-options.ts';
import { HUMAN_CHECK_NAMES, SIGNUP_MODE_NAMES } from '../../../lib/contract/rules/site-rules.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { AreaField } from '../../ui/form/LineField.tsx';
import { CheckField } from '../CheckField.tsx';
import { Invitations } from './Invitations.tsx';
import { optionsPage } from './options-page.tsx';

const valuesOf = ({ signup, humanCheck, reserved_names, secondFactorForStaff }: SiteOptions) => ({
  signup,
  humanCheck,
  reserved_names,
  secondFactorForStaff,
});

/** Rules of signing up and in, and the invitations. */
export default optionsPage(
  '注册',
  valuesOf,
  ({ values, set, frame }) => (
    <>
      <Choice
        {...frame('signup')}
        label="谁可以注册"
        value={values.signup}
        options={SIGNUP_MODE_NAMES}
        onChange={(signup) => set({ signup })}
      />
      <Choice
        {...frame('humanCheck')}
        label="确认不是机器人"
        hint="访客的浏览器自己算一道题，不点图、不输字，也不经过别的网站；电脑上不到一秒，旧手机几秒。不支持 JavaScript 的旧客户端会被拒绝。"
        value={values.humanCheck}
        options={HUMAN_CHECK_NAMES}
        onChange={(humanCheck) => set({ humanCheck })}
      />
      <AreaField
        {...frame('reserved_names')}
        label="保留的用户名"
        hint="一行一个，这些名字和看起来像它们的都不能注册；站名和站长、官方、客服、admin 这样的字样本来就不能用在名字里。"
        rows={3}
        value={values.reserved_names.join('\n')}
        onChange={(names) => set({ reserved_names: names.split(/[\n,，、]/) })}
      />
      <CheckField
        isOn={values.secondFactorForStaff}
        onChange={(secondFactorForStaff) => set({ secondFactorForStaff })}
        hint="没有开启的站务和站长，开启之前不能使用管理功能。请先为自己开启。"
      >
        站务和站长必须开启两步验证
      </CheckField>
    </>
  ),
  () => <Invitations />,
);
