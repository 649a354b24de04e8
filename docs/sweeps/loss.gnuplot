set terminal pngcairo noenhanced size 1548,1020 font "sans,11"
set output "loss.png"
set multiplot
set grid ytics lt 1 lw 1 lc rgb "#dddddd"
set label 1001 at screen 0.00904,0.98039 left font "sans,15" "Sweep: random loss"
set label 1002 at screen 0.00904,0.95686 left tc rgb "#333333" "10 Mbit/s 20 ms + 5 Mbit/s 60 ms, receive buffer 2 x W_min, the same loss on both paths and directions"
unset key
set datafile separator ","
set lmargin at screen 0.05943
set rmargin at screen 0.48837
set tmargin at screen 0.90784
set bmargin at screen 0.56667
set title "the head of the queue, on some path"
set xlabel "loss (%)"
set ylabel "goodput / ceiling"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,0.5,1,2,3,4,5)
plot "loss.csv" skip 1 every ::70::76 using 3:4:5:6 with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1, \
  "loss.csv" skip 1 every ::77::83 using 3:4:5:6 with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1, \
  "loss.csv" skip 1 every ::84::90 using 3:4:5:6 with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1, \
  "loss.csv" skip 1 every ::91::97 using 3:4:5:6 with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1, \
  "loss.csv" skip 1 every ::98::104 using 3:4:5:6 with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1, \
  "loss.csv" skip 1 every ::105::111 using 3:4:5:6 with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1, \
  "loss.csv" skip 1 every ::112::118 using 3:4:5:6 with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1, \
  "loss.csv" skip 1 every ::0::6 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "loss.csv" skip 1 every ::7::13 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "loss.csv" skip 1 every ::14::20 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "loss.csv" skip 1 every ::119::125 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
unset label 1001
unset label 1002
set lmargin at screen 0.55039
set rmargin at screen 0.97933
set tmargin at screen 0.90784
set bmargin at screen 0.56667
set title "later data ahead on slow paths"
set xlabel "loss (%)"
set ylabel "goodput / ceiling"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,0.5,1,2,3,4,5)
plot "loss.csv" skip 1 every ::21::27 using 3:4:5:6 with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1, \
  "loss.csv" skip 1 every ::28::34 using 3:4:5:6 with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1, \
  "loss.csv" skip 1 every ::35::41 using 3:4:5:6 with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1, \
  "loss.csv" skip 1 every ::42::48 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1, \
  "loss.csv" skip 1 every ::49::55 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1, \
  "loss.csv" skip 1 every ::56::62 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1, \
  "loss.csv" skip 1 every ::63::69 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1, \
  "loss.csv" skip 1 every ::0::6 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "loss.csv" skip 1 every ::7::13 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "loss.csv" skip 1 every ::14::20 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "loss.csv" skip 1 every ::119::125 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
set lmargin at screen 0.05943
set rmargin at screen 0.48837
set tmargin at screen 0.47647
set bmargin at screen 0.13529
set title "the head of the queue, on some path"
set xlabel "loss (%)"
set ylabel "mean receive-buffer occupancy (kB)"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,0.5,1,2,3,4,5)
plot "loss.csv" skip 1 every ::196::202 using 3:4:5:6 with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1, \
  "loss.csv" skip 1 every ::203::209 using 3:4:5:6 with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1, \
  "loss.csv" skip 1 every ::210::216 using 3:4:5:6 with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1, \
  "loss.csv" skip 1 every ::217::223 using 3:4:5:6 with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1, \
  "loss.csv" skip 1 every ::224::230 using 3:4:5:6 with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1, \
  "loss.csv" skip 1 every ::231::237 using 3:4:5:6 with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1, \
  "loss.csv" skip 1 every ::238::244 using 3:4:5:6 with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1, \
  "loss.csv" skip 1 every ::126::132 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "loss.csv" skip 1 every ::133::139 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "loss.csv" skip 1 every ::140::146 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "loss.csv" skip 1 every ::245::251 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
set lmargin at screen 0.55039
set rmargin at screen 0.97933
set tmargin at screen 0.47647
set bmargin at screen 0.13529
set title "later data ahead on slow paths"
set xlabel "loss (%)"
set ylabel "mean receive-buffer occupancy (kB)"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,0.5,1,2,3,4,5)
plot "loss.csv" skip 1 every ::147::153 using 3:4:5:6 with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1, \
  "loss.csv" skip 1 every ::154::160 using 3:4:5:6 with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1, \
  "loss.csv" skip 1 every ::161::167 using 3:4:5:6 with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1, \
  "loss.csv" skip 1 every ::168::174 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1, \
  "loss.csv" skip 1 every ::175::181 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1, \
  "loss.csv" skip 1 every ::182::188 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1, \
  "loss.csv" skip 1 every ::189::195 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1, \
  "loss.csv" skip 1 every ::126::132 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "loss.csv" skip 1 every ::133::139 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "loss.csv" skip 1 every ::140::146 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "loss.csv" skip 1 every ::245::251 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
unset logscale
unset offsets
unset label 1001
unset label 1002
unset title
unset xlabel
unset ylabel
unset border
unset tics
unset grid
unset logscale
set lmargin at screen 0.00904
set rmargin at screen 0.99096
set tmargin at screen 0.07843
set bmargin at screen 0.001
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5,0.03922 center center horizontal Left reverse samplen 3 width 2
plot '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1 title "stock", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1 title "arrival", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1 title "auto", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1 title "lcm", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1 title "osia", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1 title "bulk", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1 title "fps", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1 title "f2p", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1 title "fps+ocps", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1 title "f2p+ocps", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1 title "minrtt", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1 title "blest", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1 title "ecf", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1 title "redundant", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1 title "flow", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1 title "cwnd", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1 title "rr", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1 title "best path"
unset multiplot
