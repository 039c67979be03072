/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours are variables, set once for light and once for dark. Verdicts: vermilion, blue, grey and
 * purple, which people with any colour vision tell apart, and a sign and a word beside each. The
 * sides of a comparison differ by shape and dash as well. Text has a contrast of 4.5 or more.
 */
#include "reports/html_style.h"

#define LIGHT                                                                                      \
	"--page:#f5f6f8;--card:#fff;--text:#1b2430;--muted:#56606e;--line:#dde1e7;--soft:#eef0f4;" \
	"--link:#0b57a4;--regressed:#a83a05;--improved:#00609c;--equivalent:#4b5663;"              \
	"--inconclusive:#7440a0;--failed:#1b2430;--base:#75808d;--new:#1d5fc4;--limit:#e3e9e0;"    \
	"--regressed-soft:#fdebe2;--improved-soft:#e2f0fa;--equivalent-soft:#eceff2;"              \
	"--inconclusive-soft:#f2eaf9;--failed-soft:#e4e6ea;"

#define DARK                                                                                       \
	"--page:#12161c;--card:#1a2029;--text:#e6eaf0;--muted:#a5afbc;--line:#333c48;"             \
	"--soft:#232b36;--link:#7db8f5;--regressed:#ff9e6b;--improved:#6cbcf5;"                    \
	"--equivalent:#b3bdc9;--inconclusive:#cda3ef;--failed:#f0f3f7;--base:#8e99a6;"             \
	"--new:#5c9df5;--limit:#2a3a30;--regressed-soft:#432312;--improved-soft:#12334a;"          \
	"--equivalent-soft:#2a323d;--inconclusive-soft:#36264a;--failed-soft:#3a4452;"

/* Colours of a verdict: what lies in an element of class `v-NAME` uses --tone and --tone-soft. */
#define TONE(name) ".v-" name "{--tone:var(--" name ");--tone-soft:var(--" name "-soft)}"

/* A verdict's box in the filter, unticked, takes its rows and details away. */
#define FILTER(name) "body:has(#show-" name ":not(:checked)) .row.v-" name "{display:none}"

const char html_style[] =
	/* page */
	":root{color-scheme:light dark;" LIGHT "}"
	"@media(prefers-color-scheme:dark){:root{" DARK "}}"
	"*{box-sizing:border-box}"
	"html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}"
	"@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}"
	"body{margin:0;background:var(--page);color:var(--text);"
	"font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',"
	"sans-serif;overflow-wrap:anywhere}"
	"header,main,footer{max-width:1480px;margin:0 auto;padding:0 clamp(12px,3vw,32px)}"
	"header{padding-top:28px}"
	"footer{color:var(--muted);font-size:13px;padding-bottom:32px}"
	"h1{font-size:clamp(22px,3.2vw,32px);line-height:1.2;margin:2px 0 6px;"
	"letter-spacing:-.01em}"
	"h2{font-size:20px;line-height:1.3;margin:0 0 10px}"
	"h3,h4{font-size:15px;margin:0;line-height:1.35}"
	"h4{margin:18px 0 6px}"
	"#environment h3{margin:18px 0 8px}"
	"p{margin:0 0 10px;max-width:76ch}"
	"a{color:var(--link)}"
	".skip{position:absolute;left:-999px}"
	".skip:focus{left:8px;top:8px;background:var(--card);padding:8px 14px;z-index:9}"
	":focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}"
	"section{margin:28px 0}"
	"code,pre{font:13px/1.5 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',"
	"monospace}"
	"pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:9px "
	"12px;margin:0;overflow-x:auto;white-space:pre-wrap}"
	".muted{color:var(--muted)}"
	".kicker{color:var(--muted);font-size:13px;font-weight:600;letter-spacing:.06em;"
	"text-transform:uppercase;margin:0}"
	".card{background:var(--card);border:1px solid var(--line);border-radius:12px}"
	"ul{margin:0 0 10px;padding-left:20px}"
	/* the filter: one box per verdict */
	"fieldset{border:0;margin:18px 0 0;padding:0;min-width:0;display:grid;gap:10px;"
	"grid-template-columns:repeat(auto-fit,minmax(132px,1fr))}"
	"legend{padding:0;margin-bottom:8px;color:var(--muted);font-size:13px}"
	".tile{display:grid;grid-template-columns:1fr auto;align-items:start;padding:10px 14px;"
	"border-top:4px solid var(--tone);cursor:pointer}"
	".tile b{font-size:28px;line-height:1.15;font-weight:650;color:var(--tone);"
	"font-variant-numeric:tabular-nums}"
	".tile span{grid-column:1/-1;font-size:14px}"
	".tile input{width:18px;height:18px;margin:2px 0 0;accent-color:var(--tone)}"
	".tile.none b{opacity:1;color:var(--muted)}"
	/* tables */
	".scroll{overflow-x:auto;border-radius:12px}"
	"table{border-collapse:collapse;width:100%;font-size:14px;"
	"font-variant-numeric:tabular-nums}"
	"caption{text-align:left;color:var(--muted);font-size:13px;padding:8px 12px}"
	".sides th,.sides td{min-width:9ch}"
	"th,td{text-align:left;padding:6px 12px;border-top:1px solid var(--line);"
	"vertical-align:middle}"
	"thead th{font-size:13px;font-weight:600;color:var(--muted);border-top:0;"
	"vertical-align:bottom}"
	"tbody th{font-weight:600}.verdicts tbody th,.verdicts .name{min-width:15ch}"
	".n{text-align:right;white-space:nowrap}"
	"tbody tr:hover{background:var(--soft)}"
	".badge{display:inline-block;white-space:nowrap;border-radius:99px;padding:1px 10px;"
	"font-size:13px;font-weight:600;color:var(--tone);background:var(--tone-soft)}"
	".badge i{font-style:normal;display:inline-block;min-width:1em;margin-right:4px}" TONE(
		"regressed") TONE("improved") TONE("equivalent") TONE("inconclusive") TONE("failed")
		FILTER("regressed") FILTER("improved") FILTER("equivalent") FILTER("inconclusive")
			FILTER("failed")
	/* forest plot in the table */
	".forest{display:block;width:clamp(150px,24vw,320px);height:26px;overflow:visible}"
	".axis{display:flex;justify-content:space-between;width:clamp(150px,24vw,320px);"
	"font-weight:400;margin-top:2px}"
	".forest path{fill:none;stroke:var(--tone);stroke-width:2.5;vector-effect:"
	"non-scaling-stroke}"
	".forest .limit{fill:var(--limit);stroke:none}"
	".forest .zero{stroke:var(--muted);stroke-width:1}"
	".forest .point{stroke-width:9;stroke-linecap:round}"
	/* details of a series */
	"details.row{margin:10px 0;overflow:clip;border-left:5px solid var(--tone)}"
	"summary{cursor:pointer;padding:10px 14px;border-radius:10px}"
	"summary h3{display:inline}"
	"summary .badge{margin:0 8px}"
	"summary .change{color:var(--muted);font-size:14px;white-space:nowrap}"
	".body{scroll-margin-top:64px;padding:2px 16px 18px;border-top:1px solid var(--line)}"
	".lead{margin:12px 0 4px;font-size:15px;max-width:100ch}"
	".warn{border-left:3px solid var(--inconclusive);padding-left:10px}"
	"dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,215px),1fr));"
	"gap:8px 18px;margin:12px 0}"
	"dl div{border-top:1px solid var(--line);padding-top:5px;min-width:0}"
	"dt{color:var(--muted);font-size:13px}"
	"dd{margin:0;font-variant-numeric:tabular-nums}"
	".plots{display:grid;grid-template-columns:minmax(0,1fr);gap:18px 22px;margin:14px 0}"
	"@media(min-width:720px){.plots{grid-template-columns:repeat(2,minmax(0,1fr))}}"
	"@media(min-width:1240px){.plots{grid-template-columns:repeat(4,minmax(0,1fr))}}"
	".plots.wide{grid-template-columns:minmax(0,1fr)}"
	"@media(min-width:900px){.plots.wide{grid-template-columns:repeat(2,minmax(0,1fr))}}"
	"@media(min-width:1240px){.plots.wide{grid-template-columns:repeat(3,minmax(0,1fr))}}"
	".plots.wide .plot{max-width:520px}.numbers .text{text-align:left;white-space:normal;"
	"min-width:24ch}"
	"figure{margin:0;min-width:0}"
	"figcaption{font-size:13px;margin-bottom:4px}"
	"figcaption b{display:block;font-size:14px}"
	"figcaption{color:var(--muted)}figcaption b{color:var(--text)}"
	".tables{display:grid;gap:6px;grid-template-columns:minmax(0,1fr)}"
	".numbers th,.numbers td{text-align:right;padding:3px 10px;font-size:13px;"
	"white-space:nowrap}"
	".numbers tr>:first-child,.numbers .bar{text-align:left}"
	".tables summary{padding:5px 0;color:var(--link);font-size:14px}"
	".key{display:inline-flex;align-items:center;gap:5px;margin-right:14px}"
	".key svg{width:26px;height:12px}"
	/* plots */
	".plot{display:block;width:100%;height:auto;max-width:560px;overflow:visible}"

	".plot text{font-size:12px;fill:var(--muted)}"
	".plot .x{text-anchor:middle}.plot .y{text-anchor:end}"
	".plot .grid{stroke:var(--line);fill:none}"
	".plot .line,.key .line{fill:none;stroke-width:1.8;stroke-linejoin:round}"
	".base{stroke:var(--base);fill:var(--base)}.new{stroke:var(--new);fill:var(--new)}"
	".plot text.base,.plot text.new{stroke:none;font-weight:600;fill:var(--text)}"
	".line.base{stroke-dasharray:5 3}"
	".thin{opacity:.45}"
	".plot .dots{fill:none;stroke-width:3.4;stroke-linecap:round;opacity:.55}"
	".plot .box,.key .box{fill:none;stroke-width:1.3}"
	".mark{stroke-width:1.6}"
	".mark.base{fill:var(--card)}"
	".plot .limit{fill:var(--limit);stroke:none}"
	".plot .band{fill:var(--new);opacity:.18;stroke:none}"
	".plot .posterior{fill:var(--new);stroke:none}"
	".plot .strip{fill:var(--regressed);opacity:.15;stroke:none}"
	".plot .line.zero{stroke:var(--muted);stroke-width:1}"
	".plot .line.change{stroke:var(--regressed);stroke-dasharray:3 3}"
	".share{display:block;width:100%;min-width:120px;max-width:460px;height:16px}"
	".share rect{fill:var(--inconclusive);stroke:var(--card);stroke-width:1;vector-effect:"
	"non-scaling-stroke}.share .s1{opacity:.55}.share .s2{opacity:.25}"
	".shares thead th:nth-child(n+3)::before{content:'';display:inline-block;width:10px;"
	"height:10px;margin-right:6px;border-radius:2px;background:var(--inconclusive)}"
	".shares thead th:nth-child(4)::before{opacity:.55}"
	".shares thead th:nth-child(5)::before{opacity:.25}"
	/* narrow screens: what the details repeat leaves the table */
	"@media(max-width:1000px){.verdicts .w{display:none}}"
	"@media(max-width:640px){.verdicts .o{display:none}"
	".verdicts thead{position:absolute;width:1px;height:1px;overflow:hidden;"
	"clip-path:inset(50%)}"
	".verdicts,.verdicts tbody,.verdicts caption{display:block}"
	".verdicts .row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:4px 10px;"
	"align-items:center;border-top:1px solid var(--line);padding:9px 12px}"
	".verdicts .row>*{border:0;padding:0}"
	".verdicts .row>:nth-child(1){order:2}.verdicts .row>th{order:1}"
	".verdicts .row>:nth-child(n+3){order:3;text-align:left}"
	".body{padding:2px 12px 14px}}"
	/* print: on white, with everything open */
	"@media print{:root{color-scheme:light;" LIGHT "--page:#fff}"
	"body,th,td,dd,.lead,.tile span,figcaption b{font-size:11px}"
	"dt,caption,figcaption,thead th,.badge,code{font-size:10px}"
	".skip,legend,.tile input{display:none}.scroll{overflow:visible}"
	"fieldset{grid-template-columns:repeat(5,1fr)}"
	"details.row::details-content{content-visibility:visible;block-size:auto}"
	"details.row{break-inside:auto}figure,tr,dl div{break-inside:avoid}h2,summary{break-after:"
	"avoid}"
	".plots{grid-template-columns:repeat(2,minmax(0,1fr))}"
	".tables{display:none}"
	"*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}";
