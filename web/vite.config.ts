// Two builds: the page of the server (index.html and /assets), and report.html, one file with everything inside.
import { defineConfig, type Plugin } from 'vite';

/** Puts the script and the style of a page into the page itself. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith('.html'));
      if (page?.type !== 'asset') return;
      let html = String(page.source);
      for (const file of Object.values(bundle)) {
        if (file === page) continue;
        const name = file.fileName.replaceAll('.', '\\.');
        if (file.type === 'chunk') {
          const tag = new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`);
          html = html.replace(tag, '');
          // At the end of the page, so that what it reads stands before it; a function keeps "$&" in the code as it is.
          const code = file.code.replaceAll('</script', '<\\/script');
          html = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
        } else {
          const tag = new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
          html = html.replace(tag, () => `<style>${String(file.source)}</style>`);
        }
        delete bundle[file.fileName];
      }
      page.source = html;
    },
  };
}

export default defineConfig(({ mode }) => {
  const report = mode === 'report';
  return {
    base: '/',
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
    define: { 'import.meta.env.REPORT': JSON.stringify(report) },
    plugins: report ? [oneFile()] : [],
    server: { proxy: { '/v1': 'http://127.0.0.1:8080' } },
    build: {
      target: 'es2022',
      emptyOutDir: !report,
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: true,
      rollupOptions: { input: report ? 'report.html' : 'index.html' },
    },
  };
});
