export interface Found {
  start: number;
  end: number;
  /**
   * `{% %}` and `{{ }}` of Hexo and Jekyll, `{{< >}}` and `{{% %}}` of Hugo, and Hugo's escaped shortcodes.
   */
  kind: 'liquid' | 'output' | 'hugo' | 'escaped';
  name: string;
  source: string;
  isEnd: boolean;
  isClosed: boolean;
  /** Line of the text, from 0. */
  line: number;
  /** Range of its end tag, if its content is not markdown. */
  rawEnd?: { start: number; end: number };
}
