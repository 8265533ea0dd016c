import { fieldErrors } from '../../ui/form/use-submit.ts';
import type { IdentityAnswer, SiteIdentity } from '../../../lib/contract/calls/site-calls.ts';
import { ARTICLE_ADDRESS_NAMES } from '../../../lib/contract/rules/site-rules.ts';
import type { SiteOptions } from '../../../lib/contract/site-options.ts';
import { LICENCES } from '../../../lib/contract/rules/licences.ts';
import { call } from '../../../lib/stores/api.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { CheckField } from '../CheckField.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { AccentField } from './AccentField.tsx';
import { OptionsForm } from './OptionsForm.tsx';
import { fixedIn } from './fixed.ts';
import { LogoField } from './LogoField.tsx';
import { SealField } from './SealField.tsx';

const LINES = [
  ['title', '站名', ''],
  ['description', '简介', '搜索引擎和分享的卡片上显示。'],
  ['footer', '页脚文字', ''],
  ['beian', '备案号', '如 京ICP备00000000号，链接到工信部。'],
  ['police_beian', '公安备案号', '如 京公网安备11010502030143号。'],
] as const;

const LICENCE_NAMES = Object.fromEntries(Object.entries(LICENCES).map(([key, { name }]) => [key, name]));

type Texts = Omit<SiteIdentity, 'links' | 'nav' | 'navigation' | 'look' | 'style'>;
/** `logo` is its URL or a chosen picture's data URL, '' for the project's own mark. */
type Options = Pick<SiteOptions, 'mcp' | 'articleAddress'>;
type Values = Texts & Options & { logo: string };

function valuesOf(identity: IdentityAnswer, { mcp, articleAddress }: Options): Values {
  const { logo, title, description, footer, beian, police_beian, licence, accent, seal } = identity;
  const texts = { title, description, footer, beian, police_beian, licence, accent, seal };
  return { ...texts, logo: logo ?? '', mcp, articleAddress };
}

async function save(
  { logo, mcp, articleAddress, ...texts }: Partial<Values>,
  stored: { identity: IdentityAnswer; options: Options },
): Promise<Values> {
  let { identity } = stored;
  // First, because it is the one that may be unusable.
  if (logo === '') identity = await call('siteLogoRemove', {}, { quiet: true });
  else if (logo !== undefined)
    identity = await call('siteLogo', { logo: logo.replace(/^.*,/, '') }, { quiet: true });
  if (Object.keys(texts).length > 0) identity = await call('siteIdentityChange', texts, { quiet: true });
  const isSame = mcp === undefined && articleAddress === undefined;
  const options = isSame
    ? stored.options
    : await call('siteOptionsChange', { mcp, articleAddress }, { quiet: true });
  return valuesOf(identity, options);
}

function check(changes: Partial<Values>) {
  const { logo: _, mcp: _mcp, articleAddress: _address, ...texts } = changes;
  return fieldErrors('siteIdentityChange', texts);
}

/** Identity of the site. Fields set outside the console are disabled and name their source. */
export default consoleAnswer(
  async () => {
    const [identity, options] = await Promise.all([
      call('siteIdentity', {}, { quiet: true }),
      call('siteOptions', {}, { quiet: true }),
    ]);
    return { identity, options };
  },
  (stored) => {
    const { identity, options } = stored;
    return (
      <OptionsForm
        label="网站"
        stored={valuesOf(identity, options)}
        check={check}
        save={(changes) => save(changes, stored)}
        isShownByPage
      >
        {({ values, set, frame: frameOf }) => {
          const frame = fixedIn<keyof Texts | 'logo'>(identity.fixed, frameOf);
          return (
            <>
              {LINES.map(([name, label, hint]) => (
                <LineField
                  key={name}
                  {...frame(name, hint)}
                  label={label}
                  dir="auto"
                  value={values[name]}
                  onChange={(value) => set({ [name]: value })}
                />
              ))}
              <LogoField
                {...frame(
                  'logo',
                  'PNG 或 SVG，不超过 1 MB，文字要先转成路径。浏览器和手机上的图标也由它做成。',
                )}
                value={values.logo}
                onChange={(logo) => set({ logo })}
              />
              <AccentField
                {...frame('accent', '链接和按钮的颜色。深浅会自动调整，保证在两种主题下都看得清。')}
                value={values.accent}
                onChange={(accent) => set({ accent })}
              />
              <SealField
                {...frame('seal', '印在每篇文章的末尾和分享的卡片上。')}
                value={values.seal}
                onChange={(seal) => set({ seal })}
              />
              <Choice
                {...frame('licence', '作者没有另选的文章用它。')}
                label="默认的许可协议"
                value={values.licence}
                options={{ '': '不写明', ...LICENCE_NAMES }}
                onChange={(licence) => set({ licence })}
              />
              <Choice
                {...frameOf('articleAddress')}
                label="文章的网址"
                hint="链接、订阅源和搜索引擎用哪一种。两种网址一直都能打开，改了也不会失效。文字来自标题的拼音，作者可以在文章设置里另取。"
                value={values.articleAddress}
                options={ARTICLE_ADDRESS_NAMES}
                onChange={(articleAddress) => set({ articleAddress })}
              />
              <CheckField
                isOn={values.mcp}
                onChange={(isOn) => set({ mcp: isOn })}
                hint="作者用访问令牌把支持 MCP 的助手连到本站，让它搜索和读文章、写草稿、回复评论。连接地址是本站网址后加 /mcp。"
              >
                允许智能助手连接
              </CheckField>
            </>
          );
        }}
      </OptionsForm>
    );
  },
);
