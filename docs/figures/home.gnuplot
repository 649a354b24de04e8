set terminal pngcairo noenhanced size 1308,476 font "sans,11"
set output "home.png"
set multiplot
set grid ytics lt 1 lw 1 lc rgb "#dddddd"
set label 1001 at screen 0.01070,0.95798 left font "sans,15" "50 Mbit/s 10 ms and 20 Mbit/s 40 ms: goodput over the receive buffer"
set label 1002 at screen 0.01070,0.90756 left tc rgb "#333333" "Ours: both lines are used in full with 500 kB. Stock CMT is slower than the fast line alone there, and with 4 MB it is still behind."
unset key
set xrange [-0.5:4.5]
set xtics ("250 kB" 0, "500 kB" 1, "1 MB" 2, "2 MB" 3, "4 MB" 4) scale 0
$d0 << EOD
-0.060 59.9782 59.6764 60.2045
0.940 66.4961 66.4916 66.5073
1.940 66.4961 66.4916 66.5073
2.940 66.4961 66.4916 66.5073
3.940 66.4961 66.4916 66.5073
EOD
$d1 << EOD
0.000 48.1214 48.1191 48.1258
1.000 46.191 46.1882 46.34
2.000 46.2006 46.1978 46.9084
3.000 46.2006 46.1978 48.1258
4.000 46.2006 46.1978 48.1258
EOD
$d2 << EOD
0.060 24.5386 24.5347 30.4926
1.060 40.3138 39.7566 41.1992
2.060 58.1179 53.5203 58.795
3.060 60.3646 46.3439 62.4882
4.060 60.8614 51.5838 60.9515
EOD
set lmargin at screen 0.07034
set rmargin at screen 0.48624
set tmargin at screen 0.80252
set bmargin at screen 0.19748
set title ""
set xlabel "receive buffer"
set ylabel "goodput (Mbit/s)"
unset logscale y
set yrange [0:71.8279]
plot $d0 using 1:2:3:4 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  $d1 using 1:2:3:4 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1, \
  $d2 using 1:2:3:4 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1
$d0 << EOD
-0.060 0.235739 0.204768 0.758368
0.940 0.0438841 0.0273047 0.0958607
1.940 0.0438841 0.0273047 0.0958607
2.940 0.0438841 0.0273047 0.0958607
3.940 0.0438841 0.0273047 0.0958607
EOD
$d1 << EOD
0.000 0 0 0
1.000 2.76301 2.67261 2.76306
2.000 2.95963 2.95955 4.75706
3.000 2.95963 2.95955 5.36871
4.000 2.95963 2.95955 5.36871
EOD
$d2 << EOD
0.060 36.4222 36.3992 68.8405
1.060 157.346 156.219 159.588
2.060 328.134 323.817 346.201
3.060 423.639 409.891 706.554
4.060 619.871 566.519 974.982
EOD
unset label 1001
unset label 1002
set lmargin at screen 0.55963
set rmargin at screen 0.97554
set tmargin at screen 0.80252
set bmargin at screen 0.19748
set title ""
set xlabel "receive buffer"
set ylabel "waits at the receiver, mean (kB)"
unset logscale y
set yrange [0:1052.98]
plot $d0 using 1:2:3:4 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  $d1 using 1:2:3:4 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1, \
  $d2 using 1:2:3:4 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1
unset label 1001
unset label 1002
unset title
unset xlabel
unset ylabel
unset border
unset tics
unset grid
unset logscale
set lmargin at screen 0.01070
set rmargin at screen 0.98930
set tmargin at screen 0.07563
set bmargin at screen 0.001
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5,0.03782 center center horizontal Left reverse samplen 3 width 2
plot '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1 title "auto", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1 title "path 1 alone", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1 title "stock CMT"
unset multiplot
