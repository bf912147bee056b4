// SPDX-License-Identifier: Apache-2.0
// Mails of many kinds, for tests that change them at random.
#pragma once

#include <string>
#include <vector>

namespace credence::text {

inline std::vector<std::string> sample_mails() {
  return {
      "From: ada@engine.example (Ada)\nSubject: Re: Notes\nLines: 2\n\nFirst line.\nSecond line.\n",
      "From a@b Mon Jan  1 00:00:00 2001\nReceived: by x\n\tfrom y\nSubject: folded\n  line\n"
      "To: b@c\n\nbody\n\nFrom c@d Mon\n>From quoted\n",
      "Subject: =?utf-8?B?Q2Fmw6k=?= =?iso-8859-1?Q?_cr=E8me?= =?x?y?z\nFrom: "
      "=?utf-8?q?J=C3=B6rg?= "
      "<j@x>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
      "Content-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9 =\nsoft=20break=3D=\n",
      "Subject: b64\nContent-Type: text/plain; charset=\"windows-1252\"\n"
      "Content-Transfer-Encoding: base64\n\nk2hlbGxvlA0KYWdhaW4NCg==\n",
      "Content-Type: multipart/mixed; boundary=\"a b\"\nSubject: mixed\n\npreamble\n--a "
      "b\n\nplain\n"
      "--a b\nContent-Type: multipart/alternative; boundary=in\n\n--in\nContent-Type: "
      "text/plain\n\n"
      "alt plain\n--in\nContent-Type: text/html\n\n<p>alt &eacute; <a href='http://h.example'>html"
      "</a></p>\n--in--\n--a b\nContent-Type: image/png; name=logo.png\n"
      "Content-Disposition: attachment; filename*=utf-8''l%C3%B6go.png\n"
      "Content-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--a b\nContent-Type: message/rfc822\n\n"
      "Subject: inner\nFrom: x@y\n\ninner body\n--a b--\nepilogue\n",
      "Content-Type: text/html; charset=iso-8859-1\r\nSubject: "
      "html\r\n\r\n<html><head><title>T</title>"
      "<style>x</style></head><body>caf\xE9<br>&#8364; <img src=//t.example/x></body></html>\r\n",
      "Content-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: one\n\n1\n--d\n\nSubject: "
      "two\n\n2\n"
      "--d--\n",
      "Subject: uu\nContent-Type: text/plain\nContent-Transfer-Encoding: x-uuencode\n\n"
      "begin 644 a.txt\n%:&5L;&\\*\n`\nend\n",
      "Content-Type: text/plain; charset*0=utf-; charset*1=16le\n"
      "Content-Transfer-Encoding: quoted-printable\n\na=00=AC=20",
  };
}

}  // namespace credence::text
