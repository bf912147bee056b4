"""Puts Weka's current release, and the few jars that it wants, into build/weka: python bench/get_weka.py"""

import os
import urllib.request

from contender import WEKA

CENTRAL = os.environ.get("MAVEN_CENTRAL", "https://repo1.maven.org/maven2")
JARS = [("nz/ac/waikato/cms/weka", "weka-stable", "3.8.7"), ("nz/ac/waikato/cms/weka/thirdparty", "bounce", "0.18"),
        ("com/googlecode/matrix-toolkits-java", "mtj", "1.0.4"), ("com/googlecode/netlib-java", "netlib-java", "1.1"),
        ("net/sourceforge/f2j", "arpack_combined_all", "0.1"), ("com/github/fracpete", "jfilechooser-bookmarks", "0.1.11"),
        ("com/github/fracpete", "jclipboardhelper", "0.1.2"), ("com/github/vbmacher", "java-cup-runtime", "11b-20160615"),
        ("org/apache/commons", "commons-compress", "1.28.0"), ("com/formdev", "flatlaf", "3.7.1")]


def main():
    WEKA.mkdir(parents=True, exist_ok=True)
    for group, name, version in JARS:
        jar = f"{name}-{version}.jar"
        if not (WEKA / jar).exists():
            urllib.request.urlretrieve(f"{CENTRAL}/{group}/{name}/{version}/{jar}", WEKA / (jar + ".part"))
            (WEKA / (jar + ".part")).rename(WEKA / jar)


if __name__ == "__main__":
    main()
